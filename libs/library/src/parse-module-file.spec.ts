import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { InvalidModuleFileError, type FileProblem, parseModuleFile } from './parse-module-file.js';

const MINIMAL = 'name: a\ncommand: sort\n';

function problemsOf(source: string): FileProblem[] {
  try {
    parseModuleFile(source);
    return [];
  } catch (error) {
    if (error instanceof InvalidModuleFileError) return error.problems;
    throw error;
  }
}

describe('a module file', () => {
  it('may be a tool in the format of other platforms', () => {
    const file = parseModuleFile(
      [
        ...['name: nmap', 'description: Scans', 'category: Network', 'source_url: https://nmap.org'],
        ...['docker_image: nmap:7', 'output_parameter: -oN', 'output_type: file', 'license_info: NPSL'],
        ...['doc_link: https://nmap.org/book', 'inputs:', '  target: { type: STRING, command: "", order: 2 }'],
        '  fast: { type: BOOLEAN, parameter: -F, value: true }',
      ].join('\n'),
    );
    expect(file).toMatchObject({
      type: 'tool',
      inputs: { target: { type: 'string', flag: '', order: 2 }, fast: { type: 'boolean', flag: '-F', default: true } },
    });
  });

  it('may be a script, and may be JSON', () => {
    expect(parseModuleFile('{"name": "a", "script_type": "python", "script": "print(1)"}')).toMatchObject({
      type: 'script',
      script_type: 'python',
    });
  });

  it.each([
    ['inputs:\n  x: { type: boolean }', 'inputs.x.flag', 4, 6],
    ['inputs:\n  x: { type: boolean, flag: -x, default: yes }', 'inputs.x.default', 4, 42],
    ['inputs:\n  x: { type: file, default: a }', 'inputs.x.default', 4, 29],
    ['inputs:\n  a/b: {}', 'inputs.a/b', 4, 8],
    ['inputs:\n  x: { typ: string }', 'inputs.x.typ', 4, 13],
    ['colour: red', 'colour', 3, 9],
    ['script: x', 'command', 2, 10],
    ['type: tool\nscript: x', 'script', 4, 9],
    ['output_parameter: x\ninputs: { x: {} }', 'output_parameter', 3, 19],
    ['output_command: ">"\noutput_parameter: -o', 'output_parameter', 4, 19],
    ['examples: [{ name: a }]', 'examples.0', 3, 12],
    ['examples: [{ name: a, outputs: { ../a: b } }]', 'examples.0.outputs.../a', 3, 40],
    ['name: b', '', 3, 1],
    ['network: "a\\0"', 'network', 3, 10],
  ])('with %j is rejected, with the problem at %s in line %d, column %d', (more, field, line, column) => {
    expect(problemsOf(MINIMAL + more)[0]).toMatchObject({ field, line, column, message: expect.any(String) });
  });

  it.each([
    ['brackets', '['.repeat(500_000)],
    ['lists', '- '.repeat(400_000)],
    ['keys', '? '.repeat(400_000)],
    ['tags', '!!map '.repeat(100_000)],
    ['indents', Array.from({ length: 1000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
    ['entries', Array.from({ length: 100_000 }, (_, at) => `k${at}: 1`).join('\n')],
    ['aliases', 'a: &a [x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]'],
    ['text', 'a'.repeat(1_000_001)],
  ])('that would take too long to parse is rejected: %s', (_, source) => {
    expect(problemsOf(source)).toMatchObject([{ field: '' }]);
  });

  it('cannot change the prototype of objects', () => {
    for (const field of ['__proto__: { type: script }', 'inputs: { __proto__: { type: file } }']) {
      const { length } = MINIMAL.split('\n');
      expect(problemsOf(MINIMAL + field)).toMatchObject([
        { message: expect.stringContaining('__proto__'), line: length },
      ]);
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('is either accepted or rejected with a line and a column, for any text', () => {
    const piece = fc.constantFrom(
      ...'name: a|command: b|inputs:|  x:|    type: file|- |[|]|{|}|: |? |&a |*a |!!str |"|\n|  |#|---|\t|\0'.split(
        '|',
      ),
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece, { maxLength: 30 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (source) => {
        for (const { line, column } of problemsOf(source)) {
          expect(line).toBeGreaterThan(0);
          expect(column).toBeGreaterThan(0);
        }
      }),
    );
  });
});
