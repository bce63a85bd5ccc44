import { showName } from '../names/check-name.js';
import { type Level } from '../parse/level.js';
import { type Problems } from './problem.js';

/** Warns of images that may change between runs: an image name without a tag means the current `latest`. */
export function checkImages(level: Level, warnings: Problems): void {
  for (const { name, node } of level.nodes.values()) {
    const part = node.type === 'TOOL' ? 'container' : 'script';
    const image = node[part]?.image?.trim() ?? '';
    if (image === '' || hasTag(image)) continue;
    const message = `Image ${showName(image)} of node ${showName(name)} has no tag, so the program that it runs may change.`;
    const hint = `Name a version, for example ${showName(`${image.slice(0, 60)}:1.0`)}, or a digest.`;
    warnings.add({ code: 'image_without_tag', message, node: name, path: `nodes.${name}.${part}.image`, hint });
  }
}

/**
 * Whether an image reference names a version: `name:tag` or `name@sha256:…`. The colon in `registry:5000/name` precedes a
 * port. See https://pkg.go.dev/github.com/distribution/reference
 */
const hasTag = (image: string): boolean => image.includes('@') || /:[^/]+$/.test(image);
