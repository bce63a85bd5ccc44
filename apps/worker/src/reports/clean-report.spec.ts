import { describe, expect, it } from '@jest/globals';
import { type FinishedReport } from '@millrace/contracts/runs/report';
import { cutText } from '../steps/cut-text.js';
import { cleanReport } from './clean-report.js';

describe('the texts of a report', () => {
  it('contain no NUL and no half of a character', () => {
    const subject = { dispatch: 'd', task: 0, attempt: 1, step: 0, at: 1, startedAt: 0 };
    const report: FinishedReport = {
      type: 'finished',
      ...subject,
      outcome: 'failed',
      exitCode: 1,
      message: 'a\0b\uD83D',
      params: { 'k\0': '\uDE00x', flag: true },
      outputs: { files: [] },
      stdout: null,
      stderr: null,
      cpuMs: 0,
      maxRssBytes: null,
      split: null,
    };
    expect(cleanReport(report)).toEqual({
      ...report,
      message: 'a\uFFFDb\uFFFD',
      params: { 'k\uFFFD': '\uFFFDx', flag: true },
    });
  });

  it('are cut between characters', () => {
    expect(cutText('ab😀cd', 3)).toBe('ab');
    expect(cutText('ab😀cd', 4)).toBe('ab😀');
    expect(cutText('ab', 4)).toBe('ab');
  });
});
