import type { Program } from '../plan/plan.js';

/** Parts of an image reference, such as `registry.example.org:5000/tools/scan:1.4`. */
export interface ImageReference {
  /** Everything before the tag and the digest. */
  name: string;
  tag: string | null;
  /** Digest with its algorithm, such as `sha256:…`. */
  digest: string | null;
}

/**
 * Splits a reference at its tag and its digest. The colon in `registry:5000/name` precedes a port.
 * See https://pkg.go.dev/github.com/distribution/reference
 */
export function parseImageReference(reference: string): ImageReference {
  const [rest = '', digest = null] = reference.trim().split('@', 2);
  const [, name = rest, tag = null] = /^(.*):([^/:]+)$/.exec(rest) ?? [];
  return { name, tag, digest };
}

/** Whether an image reference names a version: a tag or a digest. Otherwise it means the current `latest`. */
export function hasVersion(reference: string): boolean {
  const { tag, digest } = parseImageReference(reference);
  return tag !== null || digest !== null;
}

/** Whether the image behind a reference stays the same: it has a digest, or a tag other than `latest`. */
export function isFixedImage(reference: string): boolean {
  const { tag, digest } = parseImageReference(reference);
  return digest !== null || (tag !== null && tag !== 'latest');
}

/** The image that a program's node names; null if it names none. */
export function imageOf(program: Program): string | null {
  const image = program.kind === 'script' || program.kind === 'command' ? program.image?.trim() : undefined;
  return image === undefined || image === '' ? null : image;
}
