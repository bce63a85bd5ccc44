import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readJson } from '../write-json.mjs';
import { renderReliability } from './render-reliability.mjs';
import { PAGE_FILE, RESULTS_FILE } from './result-file.mjs';

describe('docs/architecture/reliability.md', () => {
  it('is what npm run test:faults -- --save makes of the stored results', () => {
    expect(readFileSync(PAGE_FILE, 'utf8')).toBe(renderReliability(readJson(RESULTS_FILE)));
  });

  it('has a row for each fault and a column for each edge, and names the cases that failed', () => {
    const page = renderReliability({
      'kill-runs-after-claim': { passed: true, seconds: 9 },
      'kill-runs-at-claim': { passed: true, seconds: 7 },
      'kill-runs-at-last-report': { passed: false, seconds: 100 },
      'stop-nats-at-claim': null,
    });
    const rows = page
      .split('\n')
      .flatMap((line) => (/^\| `(kill-runs|stop-nats)/.test(line) ? [line.split('|').map((cell) => cell.trim())] : []));
    expect(rows.map((row) => [row[1], row[2], row[8]])).toEqual([
      ['`kill-runs-after`', '9', ''],
      ['`kill-runs`', '7', '✗'],
      ['`stop-nats`', '○', ''],
    ]);
    expect(page).toContain('4 cases: 2 passed, 1 failed, 1 did not run yet.');
    expect(page).toContain('- `kill-runs-at-last-report`');
  });
});
