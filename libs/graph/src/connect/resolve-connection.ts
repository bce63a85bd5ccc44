import { type Problem, type Problems } from '../check/problem.js';
import { type Edge } from '../data/workflow-data.js';
import { showName } from '../names/check-name.js';
import { suggestName } from '../names/suggest-name.js';
import { type Connection, type LevelNode, type Primitive } from '../parse/level.js';
import { type InputType } from '../plan/plan.js';
import { findParam, paramNames, type Param } from './find-param.js';
import { matchTypes, spellType, type Demand, type Offer } from './match-types.js';

const SOURCE = 'output/';
const DESTINATION = 'input/';

interface Names {
  nodes: Map<string, LevelNode>;
  primitives: Map<string, Primitive>;
}

interface Source {
  name: string;
  from: Connection['from'];
  port: string;
  offer: Offer;
}

/** Not an Error: twenty thousand wrong edges would take twenty thousand stack traces. */
class BadEdge {
  constructor(
    readonly problem: Problem,
    readonly hint?: () => string | undefined,
  ) {}
}

export interface ResolvedEdge {
  to: LevelNode;
  connection: Connection;
}

/**
 * Reads an edge, `output/<node>/<port>` to `input/<node>/<param>` with or without a last `/<source>`; a primitive is a
 * source as `output/<id>`, `…/output` or `…/value`. Gives null where the edge is wrong, and says why in `errors`.
 */
export function resolveConnection(edge: Edge, names: Names, errors: Problems): ResolvedEdge | null {
  const resolved = resolve(edge, names);
  if (!(resolved instanceof BadEdge)) return resolved;
  errors.add(resolved.problem, resolved.hint);
  return null;
}

function resolve(edge: Edge, names: Names): ResolvedEdge | BadEdge {
  const source = readSource(edge.source.id, names);
  if (source instanceof BadEdge) return source;
  const end = readDestination(edge.destination.id, source.name, names);
  if (end instanceof BadEdge) return end;
  const connection = connect(source, end.to, end.param);
  return connection instanceof BadEdge ? connection : { to: end.to, connection };
}

function readSource(id: string, names: Names): Source | BadEdge {
  const end = splitEnd(id, SOURCE);
  if (end === null) {
    const hint = splitEnd(id, DESTINATION) !== null ? 'source and destination stand the wrong way round' : FORM;
    return badEdge(id, 'is not of the form output/<node>/<port>', hint);
  }
  const { name, rest: port } = end;
  const primitive = names.primitives.get(name);
  if (primitive !== undefined) {
    if (port !== '' && port !== 'output' && port !== 'value') return unknownPort(name, port, ['output']);
    return { name, from: 'primitive', port: '', offer: primitive.type };
  }
  const node = names.nodes.get(name);
  if (node === undefined) return unknownNode(name, () => [...names.nodes.keys(), ...names.primitives.keys()]);
  if (node.node.type === 'WORKFLOW') return moduleSource(node, port);
  if (node.node.type === 'SPLITTER') {
    return port === 'output'
      ? { name, from: 'splitter', port: '', offer: 'ITEM' }
      : unknownPort(name, port, ['output']);
  }
  if (port !== 'file' && port !== 'folder') return unknownPort(name, port, ['file', 'folder']);
  return { name, from: 'step', port: '', offer: port === 'file' ? 'FILE' : 'FOLDER' };
}

function moduleSource(node: LevelNode, port: string): Source | BadEdge {
  const ports = node.module?.outputs ?? new Map<string, unknown>();
  if (ports.has(port)) return { name: node.name, from: 'module', port, offer: 'OUTPUT' };
  const [, plain, which] = /^(.*)\/(file|folder)$/s.exec(port) ?? [];
  if (plain === undefined || !ports.has(plain)) return unknownPort(node.name, port, [...ports.keys()]);
  return { name: node.name, from: 'module', port: plain, offer: which === 'file' ? 'FILE' : 'FOLDER' };
}

/** By hand and not by pattern: with twenty thousand edges it shows. */
function splitEnd(id: string, prefix: string): { name: string; rest: string } | null {
  if (!id.startsWith(prefix)) return null;
  const slash = id.indexOf('/', prefix.length);
  const name = slash < 0 ? id.slice(prefix.length) : id.slice(prefix.length, slash);
  return name === '' ? null : { name, rest: slash < 0 ? '' : id.slice(slash + 1) };
}

function readDestination(id: string, source: string, names: Names): { to: LevelNode; param: Param } | BadEdge {
  const parts = splitEnd(id, DESTINATION);
  if (parts === null) return badEdge(id, 'is not of the form input/<node>/<input>', FORM);
  const { name, rest } = parts;
  const to = names.nodes.get(name);
  if (to === undefined) {
    if (!names.primitives.has(name)) return unknownNode(name, () => names.nodes.keys());
    const hint = 'give the input a value, or connect the source to a node';
    return badEdge(id, 'leads to an input of the workflow, which takes no connections', hint, name);
  }
  const end = rest.length - source.length - 1;
  const param = rest[end] === '/' && rest.endsWith(source) ? rest.slice(0, end) : rest;
  const found = findParam(to, param, source) ?? (param === rest ? null : findParam(to, rest, source));
  if (found !== null) return { to, param: found };
  const slash = rest.lastIndexOf('/');
  if (slash > 0 && findParam(to, rest.slice(0, slash), source) !== null) {
    const what = `names ${showName(rest.slice(slash + 1))} as its source, but comes from ${showName(source)}`;
    return badEdge(id, what, `end it with ${showName(source)}, or leave that part out`, name, rest.slice(0, slash));
  }
  return new BadEdge(
    {
      code: 'unknown_param',
      message: `node ${showName(name)} has no input ${showName(param)}`,
      node: name,
      port: param,
    },
    () => suggestOrList(param, paramNames(to)),
  );
}

function connect(source: Source, to: LevelNode, { name: param, type }: Param): Connection | BadEdge {
  const demand = demandOf(to, param, type);
  const carries = matchTypes(demand, source.offer);
  if (carries !== null) return { source: source.name, from: source.from, port: source.port, carries, param };
  const message =
    `input ${showName(param)} of node ${showName(to.name)} takes ${spellType(demand)}, ` +
    `but ${showName(source.name)} gives ${spellType(source.offer)}`;
  return new BadEdge({ code: 'type_mismatch', message, node: to.name, port: param }, () =>
    typeHint(demand, source.offer),
  );
}

function typeHint(demand: Demand, offer: Offer): string {
  if (demand === 'LINES' || demand === 'FILES') return 'only files and folders can be distributed';
  if (demand === 'STRING' && (offer === 'FILE' || offer === 'OUTPUT'))
    return 'put a splitter in between, or set distribution with mode "line"';
  if (demand === 'FILE' && offer === 'FOLDER') return 'connect the port "file", or set distribution with mode "file"';
  if (demand === 'FOLDER' && offer === 'FILE') return 'connect the port "folder"';
  if (demand === 'FOLDER' && offer === 'ITEM') return 'an item is one line; connect it to a STRING or a FILE input';
  return `connect it to an input of another type, or put a script in between that makes ${spellType(demand)} of it`;
}

function demandOf(to: LevelNode, param: string, type: InputType): Demand {
  if (to.node.type === 'SPLITTER') return 'LINES';
  if (to.node.distribution?.input === param) return to.node.distribution.mode === 'file' ? 'FILES' : 'LINES';
  return type;
}

const FORM = 'a connection leads from "output/<node>/<port>" to "input/<node>/<input>"';

const badEdge = (id: string, what: string, hint: string, node?: string, port?: string): BadEdge =>
  new BadEdge({
    code: 'bad_edge',
    message: `the edge end ${showName(id)} ${what}`,
    ...(node === undefined ? {} : { node }),
    ...(port === undefined ? {} : { port }),
    hint,
  });

const unknownNode = (name: string, known: () => Iterable<string>): BadEdge =>
  new BadEdge(
    { code: 'unknown_node', message: `an edge names ${showName(name)}, which does not exist`, node: name },
    () => suggestOrList(name, [...known()]) ?? 'remove the edge, or add the node',
  );

const unknownPort = (node: string, port: string, known: string[]): BadEdge =>
  new BadEdge(
    { code: 'unknown_port', message: `node ${showName(node)} has no output ${showName(port)}`, node, port },
    () => suggestOrList(port, known),
  );

/** The name that was meant, or, where none is near and there are few, all of them. */
function suggestOrList(wrong: string, known: string[]): string | undefined {
  const near = suggestName(wrong, known);
  if (near !== undefined || known.length > 5) return near;
  return known.length > 0 ? `there is: ${known.map(showName).join(', ')}` : 'there is none; remove the edge';
}
