import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nameFile } from './name-file.js';

const now = new Date('2026-03-04T23:59:59Z');

describe('the name of a file', () => {
  it('consists of the name of the view or table and the day by default', () => {
    expect(nameFile(undefined, 'Open ports', 'csv', now)).toBe('Open ports-2026-03-04.csv');
  });

  it.each([
    ['ports', 'ports.csv'],
    ['ports.CSV', 'ports.csv'],
    ['ports.json', 'ports.json.csv'],
    ['../../etc/passwd', '_.._etc_passwd.csv'],
    ['a\u202egpj.exe', 'a_gpj.exe.csv'],
    ['...', 'export.csv'],
    ['Größe', 'Größe.csv'],
  ])('for the request %j is %j', (requested, name) => {
    expect(nameFile(requested, 'x', 'csv', now)).toBe(name);
  });

  it('is accepted by every file system, whatever is requested', () => {
    const any = fc.string({ unit: 'binary', maxLength: 255 });
    fc.assert(
      fc.property(fc.option(any, { nil: undefined }), any, (requested, source) => {
        const name = nameFile(requested, source, 'parquet', now);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(name).toMatch(/^[^.\s/\\\p{Cc}][^/\\\p{Cc}]*\.parquet$/u);
      }),
    );
  });
});
