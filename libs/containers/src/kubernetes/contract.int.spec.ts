import { describeExecutorContract } from '../testing/executor-contract.js';
import { testOptions } from '../testing/kubernetes-test-options.js';
import { startStubCluster } from '../testing/start-stub-cluster.js';
import { TOOL_IMAGE } from '../testing/stub-images.js';
import { KubernetesExecutor } from './kubernetes-executor.js';

// The kubelet's podPidsLimit limits processes, and network policies deny connections: neither is the executor's.
describeExecutorContract(
  'Kubernetes',
  async () => {
    const cluster = await startStubCluster();
    const executor = new KubernetesExecutor(testOptions(cluster));
    await executor.prepare();
    return {
      executor,
      image: TOOL_IMAGE,
      missingImage: 'registry.example.org/nowhere/tool:1',
      end: async () => {
        await executor.close();
        await cluster.close();
      },
    };
  },
  { hasKernelLimits: false, printedMegabytes: 5 },
);
