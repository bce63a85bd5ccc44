import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Logger } from '@nestjs/common';
import { readModels, type Model } from './read-models.js';

const OWN_FILE = fileURLToPath(new URL('../../models.yaml', import.meta.url));

/** The models of a file. Its operator may edit it at any time; one that is broken then leaves what was read before. */
export class ModelCatalogue {
  private readonly logger = new Logger(ModelCatalogue.name);
  private models: Model[];
  private seen: string | null = null;

  /** @throws Error where the file cannot be read */
  constructor(private readonly file = OWN_FILE) {
    this.models = readModels(file);
  }

  async list(): Promise<readonly Model[]> {
    const state = await this.look();
    if (state !== this.seen) {
      this.seen = state;
      this.read();
    }
    return this.models;
  }

  /** What changes whenever the file does; also a file that was put in its place in the same moment. */
  private async look(): Promise<string> {
    const { mtimeMs, size, ino } = (await stat(this.file).catch(() => null)) ?? {};
    return [mtimeMs, size, ino].join();
  }

  private read(): void {
    try {
      this.models = readModels(this.file);
    } catch (error) {
      this.logger.warn({ message: 'The former catalogue of models stays', error });
    }
  }
}
