import { describe, expect, it } from '@jest/globals';
import { validateWorkflow } from '@millrace/graph/check/validate-workflow';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import { buildCommandLine } from '@millrace/graph/run/build-command-line';
import { parseModuleFile } from './parse-module-file.js';
import { toDefinition } from './to-definition.js';
import { toNode } from './to-node.js';

const nodeOf = (source: string, name?: string) => {
  const file = parseModuleFile(source);
  const type = file.type === 'tool' ? ('TOOL' as const) : ('SCRIPT' as const);
  return toNode({ ...toDefinition(file), id: 'x', name: name ?? file.name, type });
};

/** The command line of a workflow's only node. Each file comes from a separate input. */
function commandOf(source: string, files: string[] = []) {
  const node = nodeOf(source);
  const primitives = files.map((file) => [
    `http-input-${file}`,
    { type: 'FILE', value: `https://example.org/${file}` },
  ]);
  const connections = files.map((file) => ({
    source: { id: `output/http-input-${file}/output` },
    destination: { id: `input/${node.name}/${file}` },
  }));
  const data = { nodes: { [node.name]: node }, primitiveNodes: Object.fromEntries(primitives) as object, connections };
  expect(validateWorkflow(data, {}).errors).toEqual([]);
  const step = compilePlan(data, {}).steps[0];
  if (!step) throw new Error('the plan has no step');
  const values = step.inputs.map(({ param, source: from, binding }) => [
    from === null ? param : `${param}/${from}`,
    binding.from === 'value' ? binding.value : `in/${from}/f`,
  ]);
  return buildCommandLine(step, Object.fromEntries(values) as Record<string, string>);
}

describe('a node made from a tool', () => {
  it('passes flags in the order of the file, then files by position, and redirects standard output', () => {
    const tool = `
name: join
command: [join]
inputs:
  right: { type: file, position: 2, required: true }
  left: { type: file, position: 1, required: true }
  field: { flag: '-j', default: 1 }
  header: { type: boolean, flag: --header, default: true }
  quiet: { type: boolean, flag: -q }
  unused: { flag: -e }`;
    expect(commandOf(tool, ['left', 'right'])).toEqual({
      argv: ['join', '-j', '1', '--header', 'in/http-input-left/f', 'in/http-input-right/f'],
      stdout: 'out/output.txt',
    });
  });

  it('passes the output path with a flag, or with the flag of an input', () => {
    const tool = 'name: curl\ncommand: curl -s\n';
    const expected = { argv: ['curl', '-s', '-o', 'out/output.txt'], stdout: null };
    expect(commandOf(`${tool}output_parameter: -o`)).toEqual(expected);
    expect(commandOf(`${tool}output_parameter: to\ninputs: { to: { flag: -o } }`)).toEqual(expected);
    expect(commandOf(`${tool}output_command: -o`)).toEqual(expected);
  });

  it('passes the output folder to a tool whose output is a folder', () => {
    expect(commandOf('name: split\ncommand: [split]\noutput_type: folder\noutput_parameter: -d')).toEqual({
      argv: ['split', '-d', 'out/'],
      stdout: null,
    });
  });

  it('uses the name of the tool as the command of an image without one', () => {
    expect(nodeOf('name: nmap\ndocker_image: nmap:7')).toMatchObject({
      container: { image: 'nmap:7', command: 'nmap' },
    });
  });
});

describe('a node made from a script', () => {
  it('gets texts and flags as arguments, and files only through inputs with a flag', () => {
    const script = `
name: pick
script: cat
inputs:
  file: { type: file, required: true }
  second: { type: file, flag: --second }
  pattern: { default: a }
  loud: { type: boolean, flag: -l, default: true }`;
    expect(commandOf(script, ['file', 'second']).argv).toEqual([
      ...['bash', 'script.sh', '--second', 'in/http-input-second/f', '-l', 'a'],
    ]);
  });
});

describe('the name of a node', () => {
  it('is a valid directory name for any module name', () => {
    for (const name of ['a/b', '..', '\n', 'é'.repeat(255), '😀'.repeat(127), 'Find all'].values()) {
      const node = nodeOf('name: a\nscript: cat', name);
      const { errors, warnings } = validateWorkflow({ nodes: { [node.name]: node } }, {});
      expect([...errors, ...warnings].map(({ code }) => code)).not.toContain('bad_name');
    }
  });
});
