import { createInterface } from 'node:readline';
import { isFixedImage, parseImageReference } from '@millrace/graph/run/image-reference';
import { ImageUnavailableError } from '../container-executor.js';
import { type DockerApi, DockerApiError } from './docker-api.js';
import { registryHeaders } from './registry-credentials.js';

/** An image that can change is pulled for each step, but not more often than this. */
const PULL_INTERVAL_MS = 60_000;

/** Anything else would lead to another address of the daemon. The daemon refuses most of the rest. */
const REFERENCE = /^(?!.*(?:\.\.|\/\/))[A-Za-z0-9][A-Za-z0-9._:/-]*(?:@[a-z0-9+._-]+:[0-9a-f]+)?$/;

/** An image that the daemon has. */
export interface LocalImage {
  /** Folders for which the image declares a volume (`VOLUME` of a Dockerfile). */
  volumes: string[];
}

/** Brings the images of steps to the daemon. Steps that need the same image share one pull. */
export class ImagePuller {
  private readonly pulls = new Map<string, Promise<void>>();
  private readonly pulledAt = new Map<string, number>();

  /** @param configFolder folder of `config.json` with credentials of registries (`DOCKER_CONFIG`) */
  constructor(
    private readonly api: DockerApi,
    private readonly configFolder: string | undefined,
  ) {}

  /**
   * Pulls an image if the daemon does not have it, or if its reference can mean another image tomorrow: `latest`, or no tag.
   * @throws ImageUnavailableError
   */
  async ensure(image: string): Promise<LocalImage> {
    if (!REFERENCE.test(image))
      throw new ImageUnavailableError(`image ${image} cannot be pulled: it must be a reference such as "debian:12"`);
    const lastPull = this.pulledAt.get(image) ?? 0;
    const mayHaveChanged = !isFixedImage(image) && Date.now() - lastPull > PULL_INTERVAL_MS;
    const found = mayHaveChanged ? null : await this.find(image);
    if (found !== null) return found;
    const pull = this.pulls.get(image) ?? this.pull(image).finally(() => this.pulls.delete(image));
    this.pulls.set(image, pull);
    await pull;
    const pulled = await this.find(image);
    if (pulled === null) throw new ImageUnavailableError(`image ${image} was pulled, but the daemon does not have it`);
    return pulled;
  }

  private async find(image: string): Promise<LocalImage | null> {
    try {
      const found = (await this.api.request('GET', `/images/${image}/json`)) as ImageInspection;
      return { volumes: Object.keys(found.Config?.Volumes ?? {}) };
    } catch (error) {
      if (error instanceof DockerApiError && error.status === 404) return null;
      throw asImageError(image, error);
    }
  }

  private async pull(image: string): Promise<void> {
    const { name, tag, digest } = parseImageReference(image);
    try {
      const headers = registryHeaders(image, this.configFolder);
      const query = { fromImage: name, tag: digest ?? tag ?? 'latest' };
      // The time limit of the step ends a slow pull.
      const progress = await this.api.stream('POST', '/images/create', { query, headers, timeoutMs: null });
      for await (const line of createInterface({ input: progress })) throwIfFailed(line);
      this.pulledAt.set(image, Date.now());
    } catch (error) {
      throw asImageError(image, error);
    }
  }
}

interface ImageInspection {
  Config?: { Volumes?: Record<string, object> | null } | null;
}

/** The daemon responds with 200 before it pulls, and reports a failure as a line of the response. */
function throwIfFailed(line: string): void {
  if (line === '') return;
  const { error } = JSON.parse(line) as { error?: string };
  if (error !== undefined) throw new DockerApiError(500, error);
}

/** Failures of the connection to the daemon are not failures of the image. */
function asImageError(image: string, error: unknown): unknown {
  if (!(error instanceof DockerApiError)) return error;
  const remedy = isFixedImage(image) ? '' : '. An image without a tag, or with "latest", is pulled even if it is there';
  return new ImageUnavailableError(`image ${image} cannot be pulled: ${error.message.replace(/\.+$/, '')}${remedy}`);
}
