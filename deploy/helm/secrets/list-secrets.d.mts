import type { ClusterSecrets } from './load-cluster-secrets.mjs';

export interface SecretOptions {
  namespace: string;
  workerNamespace: string;
  serversNamespace: string;
  postgres: string;
  redis: string;
  env: Record<string, string | undefined>;
}

export interface Secret {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace: string };
  type: string;
  stringData: Record<string, string>;
}

export function listSecrets(secrets: ClusterSecrets, options: SecretOptions): Secret[];
