import { testCases } from './cases.js';

testCases('cells.yaml');
