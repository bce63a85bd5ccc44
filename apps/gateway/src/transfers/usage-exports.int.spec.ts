import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exportUsage } from '@millrace/contracts/billing/usage';
import type { FakeService } from '@millrace/testkit/fake-service';
import { gatewaySystem, type GatewaySystem } from '@millrace/testkit/gateway-system';
import { start } from '../start.js';

/** What billing answers, by what it is asked for the lines after. */
const PARTS: Record<string, { content: string; next: string | null }> = {
  '': { content: 'day,runs\n2026-01-01,1\n', next: '2026-01-01' },
  '2026-01-01': { content: '2026-01-02,2\n', next: '2026-01-02' },
  '2026-01-02': { content: '2026-01-03,3\n', next: null },
};

let system: GatewaySystem;
let billing: FakeService;
let url: string;
let asked: Record<string, unknown>[] = [];
beforeAll(async () => {
  system = await gatewaySystem(start);
  billing = await system.play('billing');
  billing.on(exportUsage, ({ query }) => {
    const given = query as { after?: string; from?: string };
    asked.push(given);
    const part = given.from?.startsWith('2025') && given.after !== undefined ? undefined : PARTS[given.after ?? ''];
    if (!part) throw new Error('Billing is gone');
    return part;
  });
  url = `${await system.start()}/api/billing/usage.csv`;
});
afterAll(() => system.close());

const get = (query: string) => fetch(`${url}${query}`, { headers: { authorization: 'Token token' } });

describe('usage as a file', () => {
  it('is asked for part by part, each about the same time', async () => {
    asked = [];
    const response = await get('?group_by=day&from=2026-01-01T00:00:00Z');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toContain('filename="usage.csv"');
    expect(await response.text()).toBe('day,runs\n2026-01-01,1\n2026-01-02,2\n2026-01-03,3\n');
    const range = { group_by: 'day', from: '2026-01-01T00:00:00Z' };
    expect(asked).toEqual([range, { ...range, after: '2026-01-01' }, { ...range, after: '2026-01-02' }]);
  });

  it('that cannot be had to its end does not end as if it were whole', async () => {
    const response = await get('?from=2025-01-01T00:00:00Z');
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it('is refused like any other question that is wrong', async () => {
    const response = await get('?group_by=month&from=soon');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      details: { 'query.group_by': expect.any(String), 'query.from': expect.any(String) },
    });
  });
});
