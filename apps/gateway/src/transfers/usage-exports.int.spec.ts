import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exportUsage } from '@millrace/contracts/billing/usage';
import type { FakeService } from '@millrace/testkit/fake-service';
import { gatewaySystem, type GatewaySystem } from '@millrace/testkit/gateway-system';
import { start } from '../start.js';

/** Billing's responses, by the `after` of the request. */
const PARTS: Record<string, { content: string; next: string | null }> = {
  '': { content: 'day,runs\n2026-01-01,1\n', next: '2026-01-01' },
  '2026-01-01': { content: '2026-01-02,2\n', next: '2026-01-02' },
  '2026-01-02': { content: '2026-01-03,3\n', next: null },
};

let system: GatewaySystem;
let billing: FakeService;
let url: string;
let queries: Record<string, unknown>[] = [];
beforeAll(async () => {
  system = await gatewaySystem(start);
  billing = await system.fake('billing');
  billing.on(exportUsage, ({ query }) => {
    const { after, from } = query as { after?: string; from?: string };
    queries.push(query as Record<string, unknown>);
    const part = from?.startsWith('2025') && after !== undefined ? undefined : PARTS[after ?? ''];
    if (!part) throw new Error('Billing is down');
    return part;
  });
  url = `${await system.start()}/api/billing/usage.csv`;
});
afterAll(() => system.close());

const get = (query: string) => fetch(`${url}${query}`, { headers: { authorization: 'Token token' } });

describe('usage as a file', () => {
  it('is fetched in parts, all for the same time range', async () => {
    queries = [];
    const response = await get('?group_by=day&from=2026-01-01T00:00:00Z');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toContain('filename="usage.csv"');
    expect(await response.text()).toBe('day,runs\n2026-01-01,1\n2026-01-02,2\n2026-01-03,3\n');
    const range = { group_by: 'day', from: '2026-01-01T00:00:00Z' };
    expect(queries).toEqual([range, { ...range, after: '2026-01-01' }, { ...range, after: '2026-01-02' }]);
  });

  it('breaks off with an error if a part cannot be fetched', async () => {
    const response = await get('?from=2025-01-01T00:00:00Z');
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it('is rejected with all invalid query parameters', async () => {
    const response = await get('?group_by=month&from=soon');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      details: { 'query.group_by': expect.any(String), 'query.from': expect.any(String) },
    });
  });
});
