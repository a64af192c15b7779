import { testCases } from './cases.js';

testCases('containers.yaml');
