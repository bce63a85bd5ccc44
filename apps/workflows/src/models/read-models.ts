import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { toErrorDetails } from '@millrace/contracts/kit/api-error';
import { model } from '@millrace/contracts/workflows/models';
import { readYaml } from '../exchange/yaml/read-yaml.js';

export type Model = z.output<typeof model>;

const catalogue = z.looseObject({
  models: z.array(model).refine((models) => new Set(models.map(({ id }) => id)).size === models.length, {
    error: 'must not contain the same id twice',
  }),
});

/** Reads a catalogue file. @throws Error that names the file and all its problems */
export function readModels(file: string): Model[] {
  try {
    const parsed = catalogue.safeParse(readYaml(readFileSync(file, 'utf8')));
    if (parsed.success) return parsed.data.models;
    const problems = Object.entries(toErrorDetails(parsed.error)).map(
      ([path, problem]) => `${path} ${String(problem)}`,
    );
    throw new Error(problems.join('; '));
  } catch (error) {
    throw new Error(`The catalogue of models ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
