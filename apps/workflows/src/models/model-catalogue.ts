import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Logger } from '@nestjs/common';
import { z } from 'zod';
import { toErrorDetails } from '@millrace/contracts/kit/api-error';
import { model } from '@millrace/contracts/workflows/models';
import { readYaml } from '../exchange/yaml/read-yaml.js';

const OWN_FILE = fileURLToPath(new URL('../../models.yaml', import.meta.url));

/**
 * The models of a file, which its operator may edit at any time. If the file becomes invalid, the models of the last
 * valid one stay.
 */
export class ModelCatalogue {
  private readonly logger = new Logger(ModelCatalogue.name);
  private models: Model[];
  private lastState: string | null = null;

  /** @throws Error if the file cannot be read */
  constructor(private readonly file = OWN_FILE) {
    this.models = readModels(file);
  }

  async list(): Promise<readonly Model[]> {
    const state = await this.readState();
    if (state !== this.lastState) {
      this.lastState = state;
      this.reload();
    }
    return this.models;
  }

  /** Differs whenever the file changes, also if another file replaces it in the same moment. */
  private async readState(): Promise<string> {
    const { mtimeMs, size, ino } = (await stat(this.file).catch(() => null)) ?? {};
    return [mtimeMs, size, ino].join();
  }

  private reload(): void {
    try {
      this.models = readModels(this.file);
    } catch (error) {
      this.logger.warn({
        message: 'The catalogue of models cannot be read; keeping the previous one',
        file: this.file,
        error,
      });
    }
  }
}

type Model = z.output<typeof model>;

const catalogue = z.looseObject({
  models: z.array(model).refine((models) => new Set(models.map(({ id }) => id)).size === models.length, {
    error: 'must not contain the same id twice',
  }),
});

/** Reads a catalogue file. @throws Error that names the file and all its problems */
function readModels(file: string): Model[] {
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
