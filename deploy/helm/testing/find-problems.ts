import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { CronJob } from 'kubernetes-models/batch/v1/CronJob';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Role } from 'kubernetes-models/rbac.authorization.k8s.io/v1/Role';
import { RoleBinding } from 'kubernetes-models/rbac.authorization.k8s.io/v1/RoleBinding';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Pod } from 'kubernetes-models/v1/Pod';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { findUnreadPaths } from './find-unread-paths.js';
import type { KubernetesObject } from './kubernetes-object.js';

/** A class of kubernetes-models: its instances validate themselves by the schema of the API. */
interface Model {
  apiVersion: string;
  kind: string;
  prototype: { validate(): void };
}

const MODELS: Model[] = [
  ...[Deployment, Job, CronJob, Pod, Secret, Service, ServiceAccount, ConfigMap, Ingress, NetworkPolicy],
  ...[Role, RoleBinding],
  ...[HorizontalPodAutoscaler, PodDisruptionBudget, HTTPRoute, ScaledObject, ServiceMonitor, PrometheusRule],
];

/**
 * Checks an object by the schema of its API: types, required and unknown fields. An API server checks more, such as the
 * uniqueness of names.
 * @returns one text for each problem
 */
export function findProblems(object: KubernetesObject): string[] {
  const model = MODELS.find(({ apiVersion, kind }) => apiVersion === object.apiVersion && kind === object.kind);
  if (!model) return [`${object.apiVersion} ${object.kind} is not checked: add its model`];
  const problems: string[] = [];
  const unread = findUnreadPaths(object, (observed) => {
    try {
      model.prototype.validate.call(observed);
    } catch (error) {
      problems.push((error as Error).message);
    }
  });
  return [...problems, ...unread.map((path) => `${path} is unknown`)];
}
