import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { noteInLog, rotateLog } from './rotate-log.mjs';

const folder = mkdtempSync(join(tmpdir(), 'rotate-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('rotateLog', () => {
  it('moves a long log to another file while its writer continues', () => {
    const file = join(folder, 'a.log');
    const writer = openSync(file, 'a');
    writeSync(writer, 'old line\n');
    rotateLog(file, 5);
    writeSync(writer, 'new line\n');
    closeSync(writer);
    expect(readFileSync(`${file}.1`, 'utf8')).toBe('old line\n');
    expect(readFileSync(file, 'utf8')).toBe('new line\n');
  });

  it('does not change a short log or a missing one', () => {
    const file = join(folder, 'b.log');
    appendFileSync(file, 'x');
    rotateLog(file, 5);
    rotateLog(join(folder, 'none.log'), 5);
    expect(readFileSync(file, 'utf8')).toBe('x');
  });
});

describe('noteInLog', () => {
  it('appends a line with a timestamp', () => {
    const file = join(folder, 'c.log');
    noteInLog(file, 'runs ended');
    expect(readFileSync(file, 'utf8')).toMatch(/^--- \d{4}-.*Z supervisor: runs ended\n$/);
  });
});
