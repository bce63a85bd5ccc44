import fc from 'fast-check';
import { type Modules, type WorkflowData } from '../data/workflow-data.js';
import { draw, label, type Drawing } from './draw-workflow.js';

/** The expected origin of a step's input, computed independently of the compiler. */
export type Origin =
  | { from: 'primitive'; primitive: string }
  | { from: 'step'; path: string; port: 'file' | 'folder'; gather: boolean }
  | { from: 'item'; scope: string };

/** An expected step. A scope is named by the path of the node that splits. */
export interface ExpectedStep {
  path: string;
  split: boolean;
  scope: string | null;
  inputs: { key: string; origin: Origin }[];
}

export interface RandomWorkflow {
  data: WorkflowData;
  modules: Modules;
  expected: ExpectedStep[];
}

interface Choice {
  kind: number;
  mode: 'line' | 'batch' | 'file';
  picks: { from: number; folder: boolean }[];
}

interface Link {
  source: string;
  port: 'file' | 'folder' | 'item' | 'primitive';
}

interface Body {
  drawing: Drawing;
  nodes: Node[];
}

interface Node {
  name: string;
  kind: 'script' | 'splitter' | 'distribute' | 'module';
  links: Link[];
  shared: Link[];
  /** Name of the node in this body that splits the node's input. */
  scope: string | null;
  carries: string | null;
}

const FEED = 'http-input-1';
const choice: fc.Arbitrary<Choice> = fc.record({
  kind: fc.nat(9),
  mode: fc.constantFrom('line', 'batch', 'file'),
  picks: fc.array(fc.record({ from: fc.nat(30), folder: fc.boolean() }), { maxLength: 4 }),
});

/** Valid workflows with chains, diamonds, splitters, distributions, gathers and a module, and their expected steps. */
export const randomWorkflow: fc.Arbitrary<RandomWorkflow> = fc
  .record({
    top: fc.array(choice, { minLength: 1, maxLength: 14 }),
    inner: fc.array(choice, { minLength: 1, maxLength: 5 }),
  })
  .map(({ top, inner }) => {
    const module = grow(inner, null);
    const out = nameOutput(module);
    const body = grow(top, module);
    const expected: ExpectedStep[] = [];
    flatten(body, module, out, { prefix: '', forced: null, feed: null }, expected);
    return {
      data: body.drawing.data(),
      modules: { wrapped: { workflow_id: 'w', data: module.drawing.data() } },
      expected,
    };
  });

function grow(choices: Choice[], module: Body | null): Body {
  const body: Body = { drawing: draw().primitive(FEED, 'FILE', 'https://example.org/a', 'feed'), nodes: [] };
  choices.forEach((one, index) => {
    const kinds = ['splitter', 'distribute', module === null ? 'script' : 'module', 'script'] as const;
    const kind = kinds[Math.min(one.kind, 3)] ?? 'script';
    addNode(body, `${kind}-${index + 1}`, kind, one, module);
  });
  return body;
}

function addNode(body: Body, name: string, kind: Node['kind'], choice: Choice, module: Body | null): void {
  const splits = kind === 'splitter' || kind === 'distribute' || (kind === 'module' && hasSplit(module));
  const links: Link[] = [];
  let joined: string | null = null;
  for (const { from, folder } of choice.picks) {
    const source = body.nodes[from % (body.nodes.length + 1)];
    const link: Link = source === undefined ? { source: FEED, port: 'primitive' } : linkTo(source, folder);
    const scope = source === undefined || link.port === 'folder' ? null : source.carries;
    const fits = scope === null || (!splits && (joined === null || joined === scope));
    const full = kind === 'module' && (links.length > 0 || link.port === 'folder');
    if (!fits || full || links.some((other) => other.source === link.source && other.port === link.port)) continue;
    joined ??= scope;
    links.push(link);
  }
  if (links.length === 0 && kind !== 'script') links.push({ source: FEED, port: 'primitive' });
  const shared = kind === 'distribute' ? links.splice(0, 1 + ((choice.kind + choice.picks.length) % 2)) : [];
  const scope = kind === 'distribute' ? name : joined;
  const inner = kind === 'module' && hasSplit(module) ? module?.nodes.findLast(isOutput)?.scope : null;
  const carries = kind === 'splitter' ? name : (scope ?? (inner ? `${name}/${inner}` : null));
  body.nodes.push({ name, kind, links, shared, scope, carries });
  drawNode(body.drawing, name, kind, choice.mode, links, shared);
}

const isOutput = (node: Node): boolean => node.kind === 'script' || node.kind === 'distribute';
const hasSplit = (body: Body | null): boolean =>
  body?.nodes.some((node) => node.kind === 'splitter' || node.kind === 'distribute') ?? false;

const linkTo = (source: Node, folder: boolean): Link =>
  source.kind === 'splitter'
    ? { source: source.name, port: 'item' }
    : { source: source.name, port: folder ? 'folder' : 'file' };

const paramOf = (kind: Node['kind'], link: Link): string =>
  kind === 'splitter'
    ? 'multiple'
    : kind === 'module'
      ? 'feed'
      : link.port === 'folder'
        ? 'folder'
        : kind === 'script'
          ? 'file'
          : 'more';

function drawNode(
  drawing: Drawing,
  name: string,
  kind: Node['kind'],
  mode: Choice['mode'],
  links: Link[],
  shared: Link[],
): void {
  const more = { distribution: { input: 'file', mode, ...(mode === 'batch' ? { splits: 3 } : {}) } };
  if (kind === 'splitter') drawing.splitter(name);
  else if (kind === 'module') drawing.module(name, 'wrapped');
  else if (kind === 'script') drawing.script(name);
  else drawing.script(name, { more: { type: 'FILE', multi: true } }, more);
  const wire = (link: Link, param: string): void => {
    const suffix = drawing.nodes[link.source]?.type === 'WORKFLOW' ? `result/${link.port}` : link.port;
    drawing.wire(
      `${link.source}.${link.port === 'item' || link.port === 'primitive' ? 'output' : suffix}`,
      `${name}.${param}`,
    );
  };
  for (const link of links) wire(link, paramOf(kind, link));
  for (const link of shared) wire(link, 'file');
}

/** Names one output of a module's body. Adds a node if none can be named. */
function nameOutput(body: Body): string {
  if (!body.nodes.some(isOutput)) addNode(body, 'script-99', 'script', { kind: 3, mode: 'line', picks: [] }, null);
  const { name } = body.nodes.findLast(isOutput) ?? { name: '' };
  Object.assign(body.drawing.nodes[name] ?? {}, label('result'));
  return name;
}

interface Place {
  prefix: string;
  forced: string | null;
  feed: Origin | null;
}

// oxlint-disable-next-line oxc/only-used-in-recursion -- it is the body of the deeper call
function flatten(body: Body, module: Body, out: string, place: Place, into: ExpectedStep[]): void {
  const { prefix, forced, feed } = place;
  const kinds = new Map(body.nodes.map((node) => [node.name, node.kind]));
  const originOf = (link: Link): Origin => {
    if (link.port === 'primitive') return feed ?? { from: 'primitive', primitive: prefix + FEED };
    if (link.port === 'item') return { from: 'item', scope: prefix + link.source };
    const path = prefix + link.source + (kinds.get(link.source) === 'module' ? `/${out}` : '');
    const scope = into.find((step) => step.path === path && !step.split)?.scope ?? null;
    return { from: 'step', path, port: link.port, gather: link.port === 'folder' && scope !== null && forced === null };
  };
  for (const node of body.nodes) {
    const path = prefix + node.name;
    const scope = forced ?? (node.scope === null ? null : prefix + node.scope);
    const inputs = node.links.map((link) => ({
      key: `${paramOf(node.kind, link)}/${link.source}`,
      origin: originOf(link),
    }));
    if (node.kind === 'module') {
      const first = inputs[0]?.origin ?? null;
      flatten(module, module, out, { prefix: `${path}/`, forced: scope, feed: first }, into);
    } else if (node.kind === 'splitter') into.push({ path, split: true, scope: null, inputs });
    else {
      const shared = node.shared.map((link) => ({ key: `file/${link.source}`, origin: originOf(link) }));
      if (shared.length > 0) {
        into.push({ path, split: true, scope: null, inputs: shared });
        inputs.push({
          key: shared.length === 1 ? (shared[0]?.key ?? '') : 'file/file',
          origin: { from: 'item', scope: path },
        });
      }
      into.push({ path, split: false, scope, inputs });
    }
  }
}
