import { testCases } from './cases.js';

testCases('structure.yaml');
