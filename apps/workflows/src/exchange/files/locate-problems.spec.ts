import { describe, expect, it } from '@jest/globals';
import type { Problem } from '@millrace/graph/check/problem';
import { YamlThreads } from '../yaml/yaml-threads.js';
import { locateProblems } from './locate-problems.js';
import { readDocument } from './workflow-document.js';

const FILE = `name: a
data:
  nodes:
    a.b-1:
      type: SCRIPT
      retries: many
      when: nodes.x-1.sise > 1
      script:
        source: |-
          echo
      inputs:
        text: { type: STRING, value: 5, order: one }
        plain: 7
      outputs:
        file: { type: FIEL }
      distribution: { input: nix, mode: line }
    m-1: { type: WORKFLOW, workflow: gone, when: "a = 'b' x", timout: 5 }
    s-1:
  connections:
    - {from: x-1/file, to: a.b-1/txet}
    - source: {id: output/y-1/file}
      destination: {id: input/a.b-1/text/y-1}
    - source: output/a.b-1/text
      destination: input/m-1/plain
    - from: m-1/file
      to: m-1/plain
    - { from: "in-1", to: a.b-1/plain }
  primitiveNodes:
    in-1: {type: FIEL, value: x, label: l}
`;
const threads = new YamlThreads();
const locateIn = async (yaml: string, problem: Partial<Problem>) => {
  const { data } = await readDocument({ yaml }, threads);
  const whole: Problem = { code: 'malformed', message: 'no', ...problem };
  const [{ line, column } = {}] = await locateProblems(threads, { yaml, data }, [whole]);
  return line === undefined ? 'none' : `${line}:${column}`;
};
const locate = (problem: Partial<Problem>) => locateIn(FILE, problem);

type Case = [string, Partial<Problem>, string];

describe('a problem of a workflow file has the position of', () => {
  it.each<Case>([
    ['the value of a field', { path: 'nodes.a.b-1.retries' }, '6:16'],
    ['the value of a field in one line', { path: 'primitiveNodes.in-1.type', node: 'in-1' }, '29:18'],
    ['the value of a field with keys that contain dots', { path: 'nodes.a.b-1.inputs.text.order' }, '12:48'],
    ['the key of a value in several lines', { path: 'nodes.a.b-1.script.source' }, '9:9'],
    ['the key of a field that contains others', { path: 'nodes.a.b-1.inputs.text' }, '12:9'],
    ['the key of a field without a value', { path: 'nodes.s-1' }, '18:5'],
    ['the field around a missing field', { path: 'nodes.a.b-1.outputs.text.type' }, '14:7'],
    ['the key of an unknown field', { code: 'unknown_field', path: 'nodes.m-1.timout' }, '17:63'],
    ['a place in a condition', { code: 'bad_condition', path: 'nodes.a.b-1.when', position: 10 }, '7:23'],
    ['a place in a quoted condition', { code: 'bad_condition', path: 'nodes.m-1.when', position: 8 }, '17:59'],
    ['a connection', { path: 'connections.1' }, '21:7'],
    ['the list of connections', { path: 'connections' }, '19:3'],
  ])('%s', async (_, problem, place) => expect(await locate(problem)).toBe(place));
});

describe('a problem of a node has the position of', () => {
  it.each<Case>([
    ['the node', { node: 'a.b-1' }, '4:5'],
    ['an input of the workflow', { node: 'in-1' }, '29:5'],
    ['the node that wraps it', { node: 'm-1/inner-1', port: 'plain' }, '17:5'],
    ['its input', { node: 'a.b-1', port: 'text', code: 'missing_input' }, '12:9'],
    ['its output', { node: 'a.b-1', port: 'file' }, '15:9'],
    ['the value of its input', { node: 'a.b-1', port: 'text', code: 'bad_value' }, '12:38'],
    ['the value of its input without a type', { node: 'a.b-1', port: 'plain', code: 'bad_value' }, '13:16'],
    ['the value of an input of the workflow', { node: 'in-1', code: 'bad_value' }, '29:31'],
    ['the workflow that it wraps', { node: 'm-1', code: 'unknown_module' }, '17:38'],
    ['the input that it distributes', { node: 'a.b-1', port: 'nix', code: 'bad_distribution' }, '16:30'],
    ['itself, if it lacks the port', { node: 's-1', port: 'nix', code: 'missing_input' }, '18:5'],
  ])('%s', async (_, problem, place) => expect(await locate(problem)).toBe(place));
});

describe('a problem of a connection has the position of the value of its end', () => {
  it.each<Case>([
    ['with an unknown input', { code: 'unknown_param', node: 'a.b-1', port: 'txet' }, '20:28'],
    ['with an unknown source', { code: 'unknown_node', node: 'x-1' }, '20:14'],
    ['with an unknown source in the full form', { code: 'unknown_node', node: 'y-1' }, '21:20'],
    ['that names its source', { code: 'unknown_param', node: 'a.b-1', port: 'text' }, '22:25'],
    ['written as a text', { code: 'unknown_port', node: 'a.b-1', port: 'text' }, '23:15'],
    ['in lines of its own', { code: 'unknown_port', node: 'm-1', port: 'file' }, '25:13'],
    ['in quotes', { code: 'unknown_port', node: 'in-1' }, '27:15'],
    ['with the wrong type', { code: 'type_mismatch', node: 'a.b-1', port: 'plain' }, '27:27'],
    ['with a path', { path: 'connections.1.destination.id' }, '22:25'],
    ['in the short form with a path', { path: 'connections.0.source' }, '20:14'],
  ])('%s', async (_, problem, place) => expect(await locate(problem)).toBe(place));

  it('or of the input, if several connections end there', async () => {
    expect(await locate({ code: 'type_mismatch', node: 'm-1', port: 'plain' })).toBe('17:5');
  });
});

it('a problem without a place in the file has no position', async () => {
  expect(await locate({})).toBe('none');
  expect(await locate({ node: 'nowhere' })).toBe('none');
});

it('a field `from` outside of a connection is not confused with `source`', async () => {
  const file = 'workflow: { nodes: { a-1: { from: x, source: y, to: z } } }\nname: a\n';
  expect(await locateIn(file, { path: 'nodes.a-1.source' })).toBe('1:46');
  expect(await locateIn(file, { path: 'nodes.a-1.destination' })).toBe('1:22');
});

it('a problem of a file in JSON has its position', async () => {
  const file = '{\n"name": "a", "workflow": { "nodes": {}, "connections": [{ "from": "a/file", "to": "b/file" }] }\n}';
  expect(await locateIn(file, { code: 'unknown_node', node: 'b' })).toBe('2:83');
});
