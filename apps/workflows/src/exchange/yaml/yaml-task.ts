import { readYaml, YamlError, type Place } from './read-yaml.js';
import { writeYaml } from './write-yaml.js';

/** The task of a thread: read a YAML text, or write the value of a JSON text as YAML. */
export interface YamlTask {
  kind: 'read' | 'write';
  text: string;
}

/** The JSON of the value that was read, or the YAML that was written; else the problem and its position. */
export type YamlResult = { text: string } | { problem: string; at: Place | null };

export function runYamlTask({ kind, text }: YamlTask): YamlResult {
  try {
    return { text: kind === 'read' ? JSON.stringify(readYaml(text)) : writeYaml(JSON.parse(text)) };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return { problem: error.message, at: error.at };
  }
}
