import { isNode, isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';
import type { z } from 'zod';
import { type ModuleFile, moduleFile } from './module-file.js';
import { refuseHostileYaml, type YamlLimits } from './refuse-hostile-yaml.js';

/** Maximum length of a module file, in characters. */
export const MAX_FILE_LENGTH = 1_000_000;
/** An alias may expand to further aliases: without a bound a short text becomes gigabytes. */
const MAX_ALIASES = 50;
/** A module needs six levels, twenty columns of indentation and no tags. The longest built-in module has 1,500 tokens. */
const LIMITS: YamlLimits = { depth: 20, indent: 200, tags: 100, tokens: 20_000, explicitKeys: false };

export interface FileProblem {
  /** Such as `inputs.file.type`. Empty if the problem is about the whole file. */
  field: string;
  message: string;
  line: number;
  column: number;
}

/** The text is not a valid module file. Lists the problems, each with its line and column in the text, counted from 1. */
export class InvalidModuleFileError extends Error {
  constructor(readonly problems: FileProblem[]) {
    super(problems.map(showProblem).join('\n'));
    this.name = 'InvalidModuleFileError';
  }
}

export const showProblem = ({ field, message, line, column }: FileProblem): string =>
  `line ${line}, column ${column}: ${field === '' ? '' : `${field} `}${message}`;

/** Parses a tool or a script file (YAML 1.2, which includes JSON). @throws InvalidModuleFileError */
export function parseModuleFile(source: string, schema: z.ZodType<ModuleFile> = moduleFile): ModuleFile {
  if (source.length > MAX_FILE_LENGTH) throw problemOfFile(`is longer than ${MAX_FILE_LENGTH} characters`);
  const lines = new LineCounter();
  const document = readDocument(source, lines);
  const parsed = schema.safeParse(readValue(document));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, 50).flatMap((issue) => describe(issue, document, lines));
  throw new InvalidModuleFileError(problems);
}

function readDocument(source: string, lines: LineCounter): Document {
  const refusal = refuseHostileYaml(source, LIMITS);
  if (refusal !== null) throw new InvalidModuleFileError([{ field: '', ...refusal }]);
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false, strict: true });
  if (document.errors.length === 0) return refusePrototype(document, lines);
  const problems = document.errors
    .slice(0, 50)
    .map(({ message, pos }) => ({ field: '', message: `is not valid YAML: ${message}`, ...positionAt(lines, pos[0]) }));
  throw new InvalidModuleFileError(problems);
}

/** Rejects the key "__proto__", which would set the prototype of the parsed object instead of a field. */
function refusePrototype(document: Document, lines: LineCounter): Document {
  visit(document, {
    Pair: (_, { key }) => {
      if (!isScalar(key) || key.value !== '__proto__') return;
      const message = 'a key must not be "__proto__"';
      throw new InvalidModuleFileError([{ field: '', message, ...positionAt(lines, key.range?.[0] ?? 0) }]);
    },
  });
  return document;
}

function readValue(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    throw problemOfFile(error instanceof Error ? error.message : 'cannot be parsed');
  }
}

const problemOfFile = (message: string): InvalidModuleFileError =>
  new InvalidModuleFileError([{ field: '', message, line: 1, column: 1 }]);

function describe(issue: z.core.$ZodIssue, document: Document, lines: LineCounter): FileProblem[] {
  const keys = issue.code === 'unrecognized_keys' ? issue.keys : [null];
  return keys.map((key) => {
    const path = key === null ? issue.path : [...issue.path, key];
    const message = key === null ? issue.message : 'is not a known field';
    return { field: path.map(String).join('.'), message, ...locate(path, document, lines) };
  });
}

/** The position of a field, or of the nearest field that contains it. */
function locate(path: PropertyKey[], document: Document, lines: LineCounter): { line: number; column: number } {
  for (let length = path.length; length >= 0; length--) {
    const found = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(found) && found.range) return positionAt(lines, found.range[0]);
  }
  return { line: 1, column: 1 };
}

function positionAt(lines: LineCounter, offset: number): { line: number; column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}
