import { testCases } from './cases.js';

testCases('phones.yaml');
