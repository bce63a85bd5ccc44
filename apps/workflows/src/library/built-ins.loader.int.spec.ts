import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readBuiltIns, type BuiltIn } from '@millrace/library/read-built-ins';
import { Database } from '@millrace/persistence/database';
import { freshDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import { storeBuiltIns } from './built-ins.loader.js';

let fresh: FreshDatabase;
let copies: [Database, Database];
let builtIns: BuiltIn[];
beforeAll(async () => {
  fresh = await freshDatabase();
  const open = () => new Database({ url: fresh.url, service: 'workflows', connections: 2 });
  copies = [open(), open()];
  builtIns = (await readBuiltIns()).slice(0, 3);
});
afterAll(async () => {
  for (const copy of copies) await copy.close();
  await fresh.drop();
});

const store = (builtIns: BuiltIn[], at: 0 | 1 = 0) => copies[at].transaction((tx) => storeBuiltIns(tx, builtIns));
const stored = () =>
  fresh.query(
    `SELECT m.id, m.name, m.category, m.latest, m.modified_at, count(v)::int AS versions
     FROM workflows.library_module m JOIN workflows.library_module_version v ON v.module_id = m.id
     WHERE m.vault_id IS NULL GROUP BY m.id ORDER BY m.name`,
  );
const changed = (change: (first: BuiltIn) => BuiltIn) => builtIns.map((one, at) => (at === 0 ? change(one) : one));

beforeEach(async () => {
  await fresh.query('DELETE FROM workflows.library_module');
  await store(builtIns);
});

describe('the built-in modules', () => {
  it('are stored once if two copies of the service start at the same moment', async () => {
    await fresh.query('DELETE FROM workflows.library_module');
    await Promise.all(([0, 1, 0, 1] as const).map((at) => store(builtIns, at)));
    expect(await stored()).toMatchObject(
      builtIns.map(({ id, file }) => ({ id, name: file.name, latest: 1, versions: 1 })),
    );
  });

  it('stay untouched while they are unchanged', async () => {
    const before = await stored();
    await store(builtIns);
    expect(await stored()).toEqual(before);
  });

  it('get a new version under the same id if their definition has changed', async () => {
    await store(changed((first) => ({ ...first, definition: { ...first.definition, help: 'Changed' } })));
    const [first, ...others] = await stored();
    expect(first).toMatchObject({ id: builtIns[0]?.id, latest: 2, versions: 2 });
    expect(others).toMatchObject([{ latest: 1 }, { latest: 1 }]);
  });

  it('get no new version if only their metadata has changed', async () => {
    await store(changed((first) => ({ ...first, file: { ...first.file, category: 'Changed' } })));
    expect((await stored())[0]).toMatchObject({ category: 'Changed', latest: 1, versions: 1 });
  });

  it("are deleted if the product no longer has them, and the vaults' own modules stay", async () => {
    await fresh.query(
      `INSERT INTO workflows.library_module (id, vault_id, name, type, latest, modified_at)
       VALUES (gen_random_uuid(), gen_random_uuid(), 'own', 'TOOL', 1, now())`,
    );
    await store(builtIns.slice(1));
    expect(await stored()).toHaveLength(2);
    expect(await fresh.query("SELECT name FROM workflows.library_module WHERE name = 'own'")).toHaveLength(1);
  });
});
