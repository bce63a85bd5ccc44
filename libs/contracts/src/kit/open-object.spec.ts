import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { saveDetectedTables } from '../datasets/detected-tables.js';
import { space, updateSpace } from '../workflows/spaces.js';
import { saveVersion, version } from '../workflows/versions.js';
import { toErrorDetails } from './api-error.js';

const problems = (schema: z.ZodType, value: object) => {
  const parsed = schema.safeParse(value);
  return parsed.success ? {} : toErrorDetails(parsed.error, 'body');
};

describe('a body that allows additional properties', () => {
  it.each([
    ...['expected_version', 'expected_versionid', 'expectedVersionId', 'expected-version-id', 'Expected_Version_Id'],
    ...['expected_version_ids', 'exepcted_version_id', 'expectedVersion'],
  ])('rejects %s and suggests expected_version_id', (key) => {
    expect(problems(saveVersion.body, { data: {}, [key]: 'a' })).toEqual({
      [`body.${key}`]: 'is not a known field; did you mean `expected_version_id`?',
    });
  });

  it.each([
    ['nmae', 'name'],
    ['names', 'name'],
    ['Data', 'data'],
    ['snapshots', 'snapshot'],
    ['previousData', 'previous_data'],
  ])('rejects %s and suggests %s', (key, suggestion) => {
    expect(problems(saveVersion.body, { data: {}, [key]: 'a' })).toEqual({
      [`body.${key}`]: `is not a known field; did you mean \`${suggestion}\`?`,
    });
  });

  it('accepts and keeps other keys, including short words and very long keys', () => {
    const additional = {
      note: 1,
      meta: 2,
      icon: 3,
      tags: [],
      comment: 'a',
      version: 'b',
      ['expected_version_id'.repeat(9)]: 4,
    };
    expect(saveVersion.body.parse({ data: {}, ...additional })).toEqual({ data: {}, ...additional });
  });

  it('accepts a record that a client sends back unmodified', () => {
    const sentBack = (record: z.ZodObject, known: string[]) =>
      Object.fromEntries(
        Object.keys(record.shape)
          .filter((key) => !known.includes(key))
          .map((key) => [key, 'a']),
      );
    expect(problems(saveVersion.body, { data: {}, ...sentBack(version, ['data', 'snapshot']) })).toEqual({});
    expect(problems(updateSpace.body, sentBack(space, ['metadata']))).toEqual({});
  });

  it('behaves the same for a space and for a detected table', () => {
    expect(problems(updateSpace.body, { descripton: 'a' })).toHaveProperty(['body.descripton']);
    const table = { name: 'a', node_name: 'b', outputName: 'c' };
    const body = { workflowId: 'a', workflowName: 'b', tables: [table] };
    expect(problems(saveDetectedTables.body, body)).toHaveProperty(['body.tables.0.outputName']);
  });
});
