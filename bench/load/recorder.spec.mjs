import { describe, expect, it } from '@jest/globals';
import { mergeRecorded, Recorder } from './recorder.mjs';

describe('a recorder', () => {
  it('counts failures by status and code, apart from latencies', async () => {
    const recorder = new Recorder();
    const fail = (/** @type {object} */ fields) => () => Promise.reject(Object.assign(new Error('no'), fields));
    expect(await recorder.measure('GET run', () => Promise.resolve(7))).toBe(7);
    await recorder.measure('GET run', fail({ status: 503, code: 'unavailable' }));
    await recorder.measure('GET run', fail({ status: 503, code: 'unavailable' }));
    await recorder.measure('GET run', fail({ name: 'ConnectionError', reason: 'ECONNREFUSED' }));
    expect(recorder.list()).toEqual([
      {
        kind: 'GET run',
        latencies: [expect.any(Number)],
        errors: { '503 unavailable': 2, 'ConnectionError: ECONNREFUSED': 1 },
      },
    ]);
  });

  it('merges what several processes have recorded, with sorted latencies', () => {
    const merged = mergeRecorded([
      [{ kind: 'a', latencies: [10, 9], errors: { '500 internal': 1 } }],
      [
        { kind: 'a', latencies: [2], errors: { '500 internal': 2 } },
        { kind: 'b', latencies: [], errors: {} },
      ],
    ]);
    expect(merged).toEqual([
      { kind: 'a', latencies: [2, 9, 10], errors: { '500 internal': 3 } },
      { kind: 'b', latencies: [], errors: {} },
    ]);
  });
});
