import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Logger } from '@nestjs/common';
import { readModels, type Model } from './read-models.js';

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
