import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DISKS, EDGES, PROCESSES } from './fault-case.js';
import { listCases } from './list-cases.js';

const cases = listCases();
const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8');
const namesOf = (pattern: RegExp) => cases.map(({ name }) => name).filter((name) => pattern.test(name));

describe('the fault matrix', () => {
  it('has at least 100 cases, each with a name of its own', () => {
    expect(cases.length).toBeGreaterThanOrEqual(100);
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  });

  it.each(PROCESSES)('kills, stops and restarts %s at each edge', (process) => {
    for (const kind of ['kill', 'stop', 'restart'])
      expect(namesOf(new RegExp(`^${kind}-${process}-at-`))).toEqual(
        EDGES.map((edge) => `${kind}-${process}-at-${edge}`),
      );
  });

  it.each(EDGES)('has each kind of fault at the edge %s that can happen there', (edge) => {
    const kinds = new Set(cases.filter((one) => one.edge === edge).map(({ fault }) => fault.kind));
    expect([...kinds]).toEqual(expect.arrayContaining(['kill', 'stop', 'restart', 'flush-redis', 'remove-jetstream']));
  });

  it.each(DISKS)('fills the disk of %s with bytes and with files', (disk) => {
    expect(namesOf(new RegExp(`^full-disk-${disk}-(bytes|inodes)-`)).length).toBeGreaterThanOrEqual(2);
  });

  it('has a row in docs/architecture/reliability.md for each of its cases', () => {
    const results = JSON.parse(read('../results.json')) as object;
    expect(Object.keys(results)).toEqual(cases.map(({ name }) => name).sort());
  });

  it('has edges that the page describes', () => {
    const page = read('../../../docs/architecture/reliability.md');
    for (const edge of EDGES) expect(page).toContain(`| \`${edge}\``);
  });
});
