import { existsSync } from 'node:fs';
import { KubeConfig } from '@kubernetes/client-node';
import { ExecutorUnavailableError } from '../container-executor.js';

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Reads how to reach the API server: from a file, or from the pod that this process runs in.
 * @param file path of a kubeconfig, if there is one
 * @param namespace of the Jobs, in place of that of the configuration
 * @throws ExecutorUnavailableError
 */
export function loadConfig(file: string | undefined, namespace: string | undefined): KubeConfig {
  const config = new KubeConfig();
  if (file !== undefined) readFile(config, file);
  else if (existsSync(`${SERVICE_ACCOUNT}/token`)) config.loadFromCluster();
  else
    throw new ExecutorUnavailableError(
      'WORKER_EXECUTOR=kubernetes needs a cluster: set KUBECONFIG, or run the worker in a pod that has the token of a service account.',
    );
  const context = config.getContextObject(config.getCurrentContext());
  if (!context || !config.getCurrentCluster())
    throw new ExecutorUnavailableError(`KUBECONFIG ${file ?? ''} has no current context, or one without a cluster.`);
  if (namespace === undefined) return config;
  const others = config.getContexts().filter((one) => one !== context);
  config.contexts = [...others, { ...context, namespace }];
  return config;
}

function readFile(config: KubeConfig, file: string): void {
  try {
    config.loadFromFile(file);
  } catch (error) {
    throw new ExecutorUnavailableError(`KUBECONFIG ${file} cannot be read: ${(error as Error).message}`);
  }
}
