import { describe, expect, it } from '@jest/globals';
import { parseOptions, renderUsage } from './parse-options.mjs';

const KNOWN = {
  systems: { floor: {}, millrace: {}, n8n: {}, 'n8n-progress': { onRequest: true }, bullmq: {} },
  workloads: [{ name: 'w1' }, { name: 'w2' }],
};

describe('the options of bench:peers', () => {
  it('select everything by default, except what runs only on request', () => {
    expect(parseOptions([], KNOWN)).toEqual({
      help: false,
      systems: ['floor', 'millrace', 'n8n', 'bullmq'],
      workloads: ['w1', 'w2'],
      rounds: 5,
      scale: 1,
      save: undefined,
    });
  });

  it('select named systems in the order of the table, and always the floor', () => {
    const options = parseOptions(['--only', 'bullmq,n8n-progress', '--rounds', '3', '--save', 'a.json'], KNOWN);
    expect(options).toMatchObject({ systems: ['floor', 'n8n-progress', 'bullmq'], rounds: 3, save: 'a.json' });
  });

  it.each([
    [['--only', 'n8n,airflow'], '--only accepts floor, millrace, n8n, n8n-progress, bullmq (got airflow).'],
    [['--workloads', 'w9'], '--workloads accepts w1, w2 (got w9).'],
    [['--rounds', '4'], '--rounds must be an odd number of at least 1 (got 4).'],
    [['--scale', 'x'], '--scale must be a number of more than 0 (got x).'],
    [['--fast'], "Unknown option '--fast'"],
  ])('refuse %j with the usage', (argv, message) => {
    expect(() => parseOptions(argv, KNOWN)).toThrow(message);
    expect(() => parseOptions(argv, KNOWN)).toThrow(renderUsage(KNOWN));
  });
});
