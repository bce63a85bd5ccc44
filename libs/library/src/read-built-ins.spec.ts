import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { analyseWorkflow } from '@millrace/graph/check/analyse-workflow';
import { moduleId } from './module-id.js';
import { readBuiltIns } from './read-built-ins.js';
import { toNode } from './to-node.js';

const builtIns = await readBuiltIns();

describe('the built-in modules', () => {
  it('include at least forty modules, each with a unique name and id', () => {
    expect(builtIns.length).toBeGreaterThanOrEqual(40);
    expect(new Set(builtIns.map(({ id }) => id)).size).toBe(builtIns.length);
  });

  it.each(builtIns.map((one) => [one.file.name, one] as const))(
    'include %s, which makes valid nodes',
    (name, builtIn) => {
      const node = toNode({ ...builtIn.definition, id: builtIn.id, name, type: builtIn.type });
      expect(node).toMatchObject({ id: builtIn.id, name: `${name}-1`, meta: { label: name } });
      const { errors, warnings } = analyseWorkflow({ nodes: { [node.name]: node } }, {}, null);
      // An input that accepts any number of connections may have none.
      const required = Object.entries(builtIn.file.inputs ?? {}).filter(([, input]) => input.required && !input.multi);
      const missing = required.filter(([, input]) => input.default === undefined).map(([input]) => input);
      expect(errors.list().map(({ code, port }) => [code, port])).toEqual(
        expect.arrayContaining(missing.map((input) => ['missing_input', input])),
      );
      expect(errors.list()).toHaveLength(missing.length);
      expect(warnings.list().filter(({ code }) => code === 'flagless_boolean' || code === 'name_mismatch')).toEqual([]);
    },
  );

  it('have ids that never change', () => {
    expect(moduleId('sort-lines')).toBe('15fcefa0-b113-5b5c-ade3-2827b652ca9b');
    expect(moduleId('sort-lines')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('are rejected with the name of the file if a file is invalid or two have the same name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'modules-'));
    try {
      await writeFile(join(folder, 'a.yaml'), 'name: A b\ncommand: x\n');
      await expect(readBuiltIns(folder)).rejects.toThrow(/^a\.yaml: line 1, column 7: name must be in kebab-case/);
      const good = 'name: a\ncommand: x\ndescription: x\ncategory: x\nhelp: x\nexamples: [{ name: x, output: x }]\n';
      for (const file of ['a.yaml', 'b.yaml']) await writeFile(join(folder, file), good);
      await expect(readBuiltIns(folder)).rejects.toThrow('Two built-in modules are named a');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
