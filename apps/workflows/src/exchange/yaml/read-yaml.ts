import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml';
import { findBadJson, MAX_DEPTH } from '@millrace/contracts/kit/find-bad-json';
import { refuseHostileYaml, type YamlLimits } from '@millrace/library/refuse-hostile-yaml';
import { hasPrototype } from './read-json-text.js';

/** Twice the limit of a version as JSON, because YAML is longer. */
const MAX_YAML_CHARACTERS = 21 * 1024 * 1024;

/** 5,000 nodes with 20,000 edges have a million tokens, which take two seconds and 250 MB. */
const LIMITS: YamlLimits = { depth: MAX_DEPTH + 1, indent: 4_000, tags: 100, tokens: 1_500_000, explicitKeys: true };

/** A position in the text, from 1. */
export interface Place {
  line: number;
  column: number;
}

/** A problem of a YAML text and its position. */
export class YamlError extends Error {
  constructor(
    problem: string,
    readonly at: Place | null = null,
  ) {
    super(at ? `line ${at.line}, column ${at.column}: ${problem}` : problem);
  }
}

/**
 * Reads YAML 1.2 (core schema) with values that JSON can represent, and ignores the `%YAML` directive: keys are unique
 * texts, numbers are finite, tags are JSON's types. Refuses anchors and aliases, because a few lines of them can expand
 * to gigabytes. Also refuses `__proto__`, a NUL character and nesting beyond 500 levels, like the API for JSON.
 * @throws YamlError with the position
 */
export function readYaml(text: string): unknown {
  if (text.length > MAX_YAML_CHARACTERS) throw new YamlError(`is longer than ${MAX_YAML_CHARACTERS} characters`);
  const hostile = refuseHostileYaml(text, LIMITS);
  if (hostile) throw new YamlError(hostile.message, { line: hostile.line, column: hostile.column });
  const lines = new LineCounter();
  const document = parse(text, lines);
  const [problem] = [...document.errors, ...document.warnings];
  const placeOf = (offset: number): Place => ({ line: lines.linePos(offset).line, column: lines.linePos(offset).col });
  if (problem) throw new YamlError(explainParserError(problem.message), placeOf(problem.pos[0]));
  const value = toJson(document.contents, 0, (node, message) => {
    throw new YamlError(message, node?.range ? placeOf(node.range[0]) : null);
  });
  const bad = findBadJson(value);
  if (bad !== null) throw new YamlError(bad);
  return value;
}

function parse(text: string, lineCounter: LineCounter): Document.Parsed {
  try {
    return parseDocument(text, {
      ...{ schema: 'core', merge: false, resolveKnownTags: false, strict: true },
      // The parser's own check compares each key with all keys before it.
      uniqueKeys: false,
      prettyErrors: false,
      // With 'silent' the parser would ignore a second document.
      logLevel: 'error',
      lineCounter,
    });
  } catch (error) {
    if (error instanceof RangeError) throw new YamlError(explainParserError(error.message));
    throw error;
  }
}

const TOO_DEEP = `must not be nested more than ${MAX_DEPTH} levels deep`;

/** The parser is recursive, and a text may be nested as deeply as it is long. */
const explainParserError = (message: string): string =>
  message.includes('call stack') ? TOO_DEEP : `is not valid YAML: ${message}`;

type Refuse = (node: Node | null | undefined, message: string) => never;

function toJson(node: unknown, depth: number, refuse: Refuse): unknown {
  if (node === null || node === undefined) return null;
  if (depth > MAX_DEPTH) return refuse(node as Node, TOO_DEEP);
  if (isAlias(node)) return refuse(node, 'aliases are not supported; repeat the value instead');
  if (isScalar(node)) return readScalar(node.value, (message) => refuse(node, message));
  if (isSeq(node)) return node.items.map((item) => toJson(item, depth + 1, refuse));
  if (!isMap(node)) return refuse(node as Node, 'is not a value that JSON can represent');
  const entries = new Map<string, unknown>();
  for (const { key, value } of node.items) {
    const name = isScalar(key) && typeof key.value === 'string' ? key.value : refuse((key as Node | null) ?? node, KEY);
    if (entries.has(name)) return refuse(key as Node, `the key ${JSON.stringify(name)} is there twice`);
    if (name === '__proto__') return refuse(key as Node, 'a key must not be "__proto__"');
    entries.set(name, toJson(value, depth + 1, refuse));
    if (name === 'constructor' && hasPrototype(entries.get(name))) {
      return refuse(key as Node, 'a "constructor" must not contain a "prototype"');
    }
  }
  return Object.fromEntries(entries);
}

const KEY = 'a key must be a text; quote a key that looks like a number, true, false or null';

function readScalar(value: unknown, refuse: (message: string) => never): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value !== 'number') return refuse('is not a value that JSON can represent');
  return Number.isFinite(value) ? value : refuse('is not a number that JSON can represent');
}
