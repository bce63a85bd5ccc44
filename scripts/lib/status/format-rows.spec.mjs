import { describe, expect, it } from '@jest/globals';
import { formatRows, isHealthy } from './format-rows.mjs';

describe('formatRows', () => {
  it('aligns the columns and shows unknown values as a dash', () => {
    const rows = [
      { name: 'postgres', health: 'ok (external)' },
      { name: 'runs', pid: 4711, startedAt: 1_000, restarts: 2, health: 'unavailable' },
    ];
    expect(formatRows(rows, 62_000).split('\n')).toEqual([
      'PROCESS   PID   UPTIME     RESTARTS  HEALTH',
      'postgres  -     -          -         ok (external)',
      'runs      4711  1 min 1 s  2         unavailable',
    ]);
    expect(rows.map(isHealthy)).toEqual([true, false]);
  });
});
