import type { Content, OperationExample } from '@millrace/contracts/openapi/examples/operation-example';
import { SECRET_FIELDS } from '../support/record-secret.js';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const EMAIL = /(?:e2e-|guest-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:@|%40)example\.org/g;
const NAME = /\be2e [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const VARIABLE = /\bE2E_[0-9a-f]{8}(?:_[0-9a-f]{4}){3}_[0-9a-f]{12}/g;
const JOINED_WORKER = /\bj-[0-9a-f]{16}\b/g;
const REDIS_USER = /\bmillrace-[0-9a-f]{8}-/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Fields whose decimal text is the id of a record. */
const NUMERIC_IDS = new Set([
  ...[
    'id',
    'run',
    'subjob',
    'load',
    'team',
    'parent',
    'parent_run',
    'target_id',
    'cached_from',
    'cached_from_run',
    'task_group',
  ],
  ...['subject', 'subjobs', 'otherId', 'subjobId', 'loadId', 'folderId'],
]);

/** Values that depend on the machine, the time or chance, by the name of their field. */
const FIXED: Record<string, unknown> = {
  address: '192.0.2.10',
  agent: 'Mozilla/5.0',
  code: '123456',
  cpu_ms: 40,
  cpu_seconds: 1,
  cursor: 'example-cursor',
  day: '2026-01-15',
  digest: '0123456789abcdef',
  duration_ms: 1_200,
  durations: 'T8T8T8T8T8T8',
  execution_units: 1,
  expires: '1768468500000',
  kid: 'example-key',
  last_change: 18,
  max_rss_bytes: 8_388_608,
  month: '2026-01',
  prefix: 'abc123',
  run_bytes: 2_048,
  seq: 18,
  signature: 'example-signature',
  token_prefix: 'abc123',
  used_bytes: 4_096,
  'webhook-signature': 'v1,example-signature',
  'webhook-timestamp': '1768467600',
  worker: 'worker-1',
  x: 'example-x',
  y: 'example-y',
};

/** Longer arrays and texts make an example no clearer. */
const MAX_ITEMS = 3;
const MAX_TEXT = 2_000;

/** Replaces the values that differ from system to system, the same ones by the same, so that a recording can be repeated. */
export class VolatileValues {
  private readonly replacements = new Map<string, string>();
  private readonly counts = new Map<string, number>();
  private readonly secrets = new Set<string>();

  replaceIn({ params, query, request, response }: OperationExample): OperationExample {
    this.findSecrets([params, query, request?.value, response?.value]);
    return {
      ...(params && { params: this.replaceValue(params) as Record<string, string> }),
      ...(query && { query: this.replaceValue(query) as Record<string, string> }),
      ...(request && { request: this.replaceContent(request) }),
      ...(response && { response: this.replaceContent(response) }),
    };
  }

  private replaceContent({ type, value }: Content): Content {
    return { type, value: this.replaceValue(value) };
  }

  /** Secrets also occur within other texts, such as the token of a hook in its URL. */
  private findSecrets(value: unknown, field = ''): void {
    if (typeof value === 'string') {
      if (!SECRET_FIELDS.has(field)) return;
      this.secrets.add(value);
      this.replace(field, value, (n) => `example-${field.replaceAll('_', '-')}-${n}`);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, part] of Object.entries(value)) this.findSecrets(part, Array.isArray(value) ? field : key);
    }
  }

  private replaceValue(value: unknown, field = ''): unknown {
    if (value === null) return null;
    if (Object.hasOwn(FIXED, field) && typeof value === typeof FIXED[field]) return FIXED[field];
    if (typeof value === 'string') return this.replaceText(value, field);
    // A delivery is retried while the test runs.
    if (field === 'attempt_count') return Math.min(Number(value), 1);
    if (Array.isArray(value))
      return value.slice(0, field === 'attempts' ? 1 : MAX_ITEMS).map((item) => this.replaceValue(item, field));
    if (typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [this.replaceText(key, ''), this.replaceValue(part, key)]),
    );
  }

  private replaceText(text: string, field: string): string {
    if (NUMERIC_IDS.has(field) && /^\d+$/.test(text)) return this.replaceId(text);
    let replaced = text;
    for (const secret of this.secrets) replaced = replaced.replaceAll(secret, this.replacements.get(secret) ?? '');
    return (
      replaced
        .replaceAll(EMAIL, (email) => this.replace('email', email.replace('%40', '@'), (n) => `user${n}@example.org`))
        .replaceAll(NAME, (name) => this.replace('name', name, (n) => `Example ${n}`))
        .replaceAll(VARIABLE, (name) => this.replace('variable', name, (n) => `VARIABLE_${n}`))
        .replaceAll(JOINED_WORKER, (id) => this.replace('worker', id, (n) => `j-${String(n).padStart(16, '0')}`))
        .replaceAll(REDIS_USER, 'millrace-0123abcd-')
        .replaceAll(UUID, (id) => this.replace('uuid', id, toUuid))
        .replaceAll(TIME, '2026-01-15T09:00:00.000Z')
        .replaceAll(/\b20\d\d-\d\d-\d\d\b/g, '2026-01-15')
        .replaceAll(/\bE2E\b/g, 'Ann Example')
        .replaceAll(/https?:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?/g, 'https://millrace.example.org')
        .replaceAll(
          /\b(run|subjob|load|export) (\d+)\b/gi,
          (_, kind: string, id: string) => `${kind} ${this.replaceId(id)}`,
        )
        .replaceAll(/([?&](?:cursor|signature|expires)=)[^&"]+/g, '$1example')
        .replaceAll(
          /"(run|subjob|subject)":"(\d+)"/g,
          (_, key: string, id: string) => `"${key}":"${this.replaceId(id)}"`,
        )
        .replaceAll(/"duration_ms":\d+/g, '"duration_ms":1200')
        .replaceAll(/\bcompleted in [\d.]+ s\b/g, 'completed in 1.2 s')
        // A line of `GET /billing/usage.csv`.
        .replaceAll(/^(\d{4}-\d\d-\d\d),\d+,[\d.]+,\d+,\d+$/gm, '$1,8,1,8,2')
        .slice(0, MAX_TEXT)
    );
  }

  private replaceId(id: string): string {
    return this.replace('number', `#${id}`, (n) => String(1_000 + n));
  }

  private replace(kind: string, value: string, toStandIn: (n: number) => string): string {
    const known = this.replacements.get(value);
    if (known !== undefined) return known;
    const n = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, n);
    const standIn = toStandIn(n);
    this.replacements.set(value, standIn);
    return standIn;
  }
}

const toUuid = (n: number): string => `01996a52-0000-7000-8000-${String(n).padStart(12, '0')}`;
