export * from '../kit/bench.js';
