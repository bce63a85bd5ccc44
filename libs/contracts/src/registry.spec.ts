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
  ])('names each %s only once', (_kind, names) => {
    expect(names.length).toBeGreaterThan(0);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(restOperations.map((operation) => [operation.name, operation] as const))(
    '%s is consistent',
    (_name, operation) => {
      const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(keysOf(operation.params).sort()).toEqual(inPath.sort());
      expect(operation.service).toBe(serviceOf(operation.name));
      expect(operation.summary).not.toBe('');
      if (operation.method === 'GET' || operation.method === 'DELETE') expect(keysOf(operation.body)).toEqual([]);
      // Results without a count are complete rather than a page. Rows use a cursor.
      const responseKeys = keysOf(operation.response);
      const isCounted = ['results', 'count'].every((key) => responseKeys.includes(key));
      const isPage = operation.method === 'GET' && isCounted && !responseKeys.includes('cursor');
      if (isPage) expect(operation.list).not.toBeNull();
      expect(operation.status === 204).toBe(operation.response.safeParse(null).success);
    },
  );

  it('gives no path to exactly the internal operations', () => {
    for (const { access, path } of operations) expect(access.kind === 'internal').toBe(path === '');
  });

  it('gives each event consumers other than its own service', () => {
    for (const { consumers, source } of events) {
      expect(consumers.length).toBeGreaterThan(0);
      expect(consumers).not.toContain(source);
    }
  });
});
