import fc from 'fast-check';
import { type Modules, type WorkflowData, type WorkflowNode } from '../data/workflow-data.js';
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
  /** Paths of two nodes: all steps of the first end before the second begins; in one scope, child by child. */
  orders: { first: string; second: string }[];
  /** Paths of the nodes with a condition, and its text. */
  conditions: { path: string; when: string }[];
}

interface Choice {
  kind: number;
  mode: 'line' | 'batch' | 'file';
  picks: { from: number; folder: boolean }[];
  /** The nodes that it follows without data, and the one that its condition refers to. */
  after: number[];
  when: number | null;
  rule: Partial<WorkflowNode>;
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
  kind: 'script' | 'splitter' | 'distribute' | 'module' | 'approval';
  links: Link[];
  shared: Link[];
  /** Name of the node in this body that splits the node's input. */
  scope: string | null;
  carries: string | null;
  after: string[];
  when: { node: string; text: string } | null;
}

const FEED = 'http-input-1';
const choice: fc.Arbitrary<Choice> = fc.record({
  kind: fc.nat(9),
  mode: fc.constantFrom('line', 'batch', 'file'),
  picks: fc.array(fc.record({ from: fc.nat(30), folder: fc.boolean() }), { maxLength: 4 }),
  after: fc.oneof({ weight: 3, arbitrary: fc.constant<number[]>([]) }, fc.array(fc.nat(30), { maxLength: 2 })),
  when: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.nat(30)),
  rule: fc.constantFrom<Partial<WorkflowNode>[]>(
    ...[{}, {}, {}, { on_error: 'fail' as const }, { on_error: 'continue' as const, fail_threshold: '10%' }],
    { on_error: 'empty' },
  ),
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
    const flat: Flat = { expected: [], orders: [], conditions: [] };
    flatten(body, module, out, { prefix: '', forced: null, feed: null }, flat);
    return {
      data: body.drawing.data(),
      modules: { wrapped: { workflow_id: 'w', data: module.drawing.data() } },
      ...flat,
    };
  });

function grow(choices: Choice[], module: Body | null): Body {
  const body: Body = { drawing: draw().primitive(FEED, 'FILE', 'https://example.org/a', 'feed'), nodes: [] };
  choices.forEach((one, index) => {
    const kinds = ['splitter', 'distribute', module === null ? 'script' : 'module', 'approval'] as const;
    const kind = kinds[one.kind] ?? 'script';
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
  if (links.length === 0 && kind !== 'script' && kind !== 'approval') links.push({ source: FEED, port: 'primitive' });
  const shared = kind === 'distribute' ? links.splice(0, 1 + ((choice.kind + choice.picks.length) % 2)) : [];
  const scope = kind === 'distribute' ? name : joined;
  const inner = kind === 'module' && hasSplit(module) ? module?.nodes.findLast(isOutput)?.scope : null;
  const carries = kind === 'splitter' ? name : (scope ?? (inner ? `${name}/${inner}` : null));
  const pick = (at: number): Node | undefined => body.nodes[at % body.nodes.length];
  const after = [...new Set(choice.after.flatMap((at) => pick(at)?.name ?? []))];
  const referred = choice.when === null ? undefined : pick(choice.when);
  const output = referred?.kind === 'module' ? '.result' : '';
  const text = `nodes.${referred?.name ?? ''}${output}.children > ${body.nodes.length}`;
  const when = referred === undefined ? null : { node: referred.name, text };
  const node = { name, kind, links, shared, scope, carries, after, when };
  body.nodes.push(node);
  drawNode(body.drawing, node, choice);
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
        : kind === 'distribute'
          ? 'more'
          : 'file';

function drawNode(drawing: Drawing, { name, kind, links, shared, after, when }: Node, { mode, rule }: Choice): void {
  const more = { ...rule, ...(when === null ? {} : { when: when.text }) };
  const distribution = { input: 'file', mode, ...(mode === 'batch' ? { splits: 3 } : {}) };
  if (kind === 'splitter') drawing.splitter(name, more);
  else if (kind === 'module') drawing.module(name, 'wrapped', {}, more);
  else if (kind === 'approval') drawing.approval(name, more);
  else if (kind === 'script') drawing.script(name, {}, more);
  else drawing.script(name, { more: { type: 'FILE', multi: true } }, { ...more, distribution });
  for (const source of after) drawing.order(source, name);
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
  if (!body.nodes.some(isOutput)) {
    const choice: Choice = { kind: 9, mode: 'line', picks: [], after: [], when: null, rule: {} };
    addNode(body, 'script-99', 'script', choice, null);
  }
  const { name } = body.nodes.findLast(isOutput) ?? { name: '' };
  Object.assign(body.drawing.nodes[name] ?? {}, label('result'));
  return name;
}

type Flat = Pick<RandomWorkflow, 'expected' | 'orders' | 'conditions'>;

interface Place {
  prefix: string;
  forced: string | null;
  feed: Origin | null;
}

// oxlint-disable-next-line oxc/only-used-in-recursion -- it is the body of the deeper call
function flatten(body: Body, module: Body, out: string, place: Place, flat: Flat): void {
  const into = flat.expected;
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
    for (const source of node.after) flat.orders.push({ first: prefix + source, second: path });
    if (node.when !== null) {
      flat.conditions.push({ path, when: node.when.text });
      const inner = kinds.get(node.when.node) === 'module' ? `/${out}` : '';
      flat.orders.push({ first: prefix + node.when.node + inner, second: path });
    }
    const scope = forced ?? (node.scope === null ? null : prefix + node.scope);
    const inputs = node.links.map((link) => ({
      key: `${paramOf(node.kind, link)}/${link.source}`,
      origin: originOf(link),
    }));
    if (node.kind === 'module') {
      const first = inputs[0]?.origin ?? null;
      flatten(module, module, out, { prefix: `${path}/`, forced: scope, feed: first }, flat);
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
