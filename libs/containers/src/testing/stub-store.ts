import type { ServerResponse } from 'node:http';
import type { KubernetesObject } from '@kubernetes/client-node';

export interface StoredObject extends KubernetesObject {
  metadata: NonNullable<KubernetesObject['metadata']> & { name: string };
}

type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';
interface Change {
  type: ChangeType;
  version: number;
  text: string;
  labels: Record<string, string>;
}
interface OpenWatch {
  response: ServerResponse;
  selector: string | null;
}

/** Whether labels match a selector of the form `a=b,c=d`. */
const matches = (labels: Record<string, string>, selector: string | null): boolean =>
  (selector ?? '')
    .split(',')
    .filter((term) => term !== '')
    .every((term) => labels[term.split('=')[0] ?? ''] === term.split('=')[1]);

/** Objects of one kind, with the versions, the history and the watches of an API server. */
export class StubStore<T extends StoredObject> {
  private readonly objects = new Map<string, T>();
  private history: Change[] = [];
  private readonly watches = new Set<OpenWatch>();
  private version = 1;
  /** Older versions cannot be watched. */
  private oldest = 0;

  get(name: string): T | undefined {
    return this.objects.get(name);
  }

  list(selector: string | null = null): T[] {
    return [...this.objects.values()].filter(({ metadata }) => matches(metadata.labels ?? {}, selector));
  }

  /** The list as the API returns it. */
  describe(kind: string, apiVersion: string, selector: string | null): object {
    return { kind, apiVersion, metadata: { resourceVersion: String(this.version) }, items: this.list(selector) };
  }

  put(object: T): T {
    const type = this.objects.has(object.metadata.name) ? 'MODIFIED' : 'ADDED';
    return this.change(type, object);
  }

  remove(name: string): void {
    const object = this.objects.get(name);
    if (object) this.change('DELETED', object);
    this.objects.delete(name);
  }

  watch(response: ServerResponse, from: string, selector: string | null): void {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    if (Number(from) < this.oldest) {
      const status = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' };
      return void response.end(`${JSON.stringify({ type: 'ERROR', object: status })}\n`);
    }
    const watch = { response, selector };
    for (const change of this.history) if (change.version > Number(from)) send(watch, change);
    this.watches.add(watch);
    response.on('close', () => this.watches.delete(watch));
  }

  closeWatches(): void {
    for (const { response } of this.watches) response.end();
  }

  /** From now on every version that somebody has seen is too old. */
  forgetHistory(): void {
    this.history = [];
    this.version += 1;
    this.oldest = this.version;
  }

  private change(type: ChangeType, object: T): T {
    this.version += 1;
    object.metadata.resourceVersion = String(this.version);
    this.objects.set(object.metadata.name, object);
    const text = `${JSON.stringify({ type, object })}\n`;
    const change = { type, version: this.version, text, labels: object.metadata.labels ?? {} };
    this.history.push(change);
    for (const watch of this.watches) send(watch, change);
    return object;
  }
}

function send({ response, selector }: OpenWatch, { text, labels }: Change): void {
  if (matches(labels, selector)) response.write(text);
}
