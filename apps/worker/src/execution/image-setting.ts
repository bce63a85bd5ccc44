import { z } from 'zod';

/** An image reference. The registry, the daemon or the cluster decides whether it exists. */
export const imageReference = z
  .string()
  .trim()
  .regex(/^[^\s@]+(@[a-z0-9+._-]+:[0-9a-f]+)?$/, 'must be an image reference such as "debian:12"');
