import { once } from 'node:events';
import { formatTable } from './format-table.js';
import { toLine } from './to-line.js';

/** What people see of a record: a heading, and the value below it. */
export type Fields<T> = Record<string, (record: T) => unknown>;

export interface PrintOptions {
  /** Prints the records of the API as JSON. */
  json?: boolean | undefined;
}

export interface ListOptions extends PrintOptions {
  /** Prints a record per line as JSON, each as soon as it is received. */
  jsonl?: boolean | undefined;
  /** What people see instead of an empty table. */
  empty: string;
}

/** Prints one record: a line per field for people, or the record as JSON. */
export async function printRecord<T>(record: T, fields: Fields<T>, { json }: PrintOptions): Promise<void> {
  await print(json ? toJson(record) : formatRecord(record, fields));
}

/** Prints a sentence for people, or the record as JSON. */
export async function printDone(sentence: string, record: unknown, { json }: PrintOptions): Promise<void> {
  await print(json ? toJson(record) : `${sentence.split('\n').map(toLine).join('\n')}\n`);
}

/** Prints a list: a table for people, a JSON array, or JSON lines. */
export async function printList<T>(
  records: Iterable<T> | AsyncIterable<T>,
  fields: Fields<T>,
  { json, jsonl, empty }: ListOptions,
): Promise<void> {
  if (jsonl) {
    for await (const record of records) await print(`${JSON.stringify(record)}\n`);
  } else if (json) {
    await printArray(records);
  } else {
    const all: T[] = [];
    for await (const record of records) all.push(record);
    await print(all.length === 0 ? `${empty}\n` : formatRecords(all, fields));
  }
}

/** Prints a JSON array record by record, so that a list of any length fits into memory. */
async function printArray(records: Iterable<unknown> | AsyncIterable<unknown>): Promise<void> {
  let isFirst = true;
  for await (const record of records) {
    await print(`${isFirst ? '[\n' : ',\n'}${indent(JSON.stringify(record, null, 2))}`);
    isFirst = false;
  }
  await print(isFirst ? '[]\n' : '\n]\n');
}

export function formatRecords<T>(records: readonly T[], fields: Fields<T>): string {
  const rows = records.map((record) => Object.values(fields).map((read) => toCell(read(record))));
  return formatTable(Object.keys(fields), rows);
}

/** Fields without a value are omitted. */
export function formatRecord<T>(record: T, fields: Fields<T>): string {
  const lines = Object.entries(fields).map(([name, read]) => [name, toCell(read(record))] as const);
  const shown = lines.filter(([, value]) => value !== '');
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join('');
}

/** Writes to standard output, no faster than its reader takes it. */
export async function print(text: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

export const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Formats a time of the API: `2026-11-26 11:14`. */
export const formatTime = (date: string | null | undefined): string =>
  date === null || date === undefined ? '' : date.slice(0, 16).replace('T', ' ');

/** A value in one line. */
export function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (Array.isArray(value)) return value.map(toCell).join(', ');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return toLine(text);
}

const indent = (text: string): string => text.replaceAll(/^/gm, '  ');
