import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { serviceOf } from './kit/service-name.js';
import { events, jobs, operations, restOperations, signals } from './registry.js';

const keysOf = (schema: z.ZodType): string[] => Object.keys((schema as { shape?: object }).shape ?? {});

describe('the registry', () => {
  it.each([
    ['operation', operations.map(({ name }) => name)],
    ['route', restOperations.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)],
    ['event', events.map(({ name }) => name)],
    ['job', jobs.map(({ name }) => name)],
    ['signal', signals.map(({ subject }) => subject)],
  ])('names each %s once', (_kind, names) => {
    expect(names.length).toBeGreaterThan(0);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(restOperations.map((operation) => [operation.name, operation] as const))(
    '%s is whole',
    (_name, operation) => {
      const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(keysOf(operation.params).sort()).toEqual(inPath.sort());
      expect(operation.service).toBe(serviceOf(operation.name));
      expect(operation.summary).not.toBe('');
      if (operation.method === 'GET' || operation.method === 'DELETE') expect(keysOf(operation.body)).toEqual([]);
      // Results without a count are a whole, not a page of one; rows go on by a cursor.
      const answered = keysOf(operation.response);
      const counted = ['results', 'count'].every((key) => answered.includes(key));
      const isPage = operation.method === 'GET' && counted && !answered.includes('cursor');
      if (isPage) expect(operation.list).not.toBeNull();
      expect(operation.status === 204).toBe(operation.response.safeParse(null).success);
    },
  );

  it('lets only services ask internal operations', () => {
    for (const { access, path } of operations) expect(access.kind === 'internal').toBe(path === '');
  });

  it('has for each event somebody who hears it, and nobody who hears themselves', () => {
    for (const { consumers, source } of events) {
      expect(consumers.length).toBeGreaterThan(0);
      expect(consumers).not.toContain(source);
    }
  });
});
