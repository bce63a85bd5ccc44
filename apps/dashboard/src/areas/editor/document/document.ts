import type { Edge, PrimitiveNode, WorkflowNode } from '@millrace/graph/data/workflow-data';
import type { Point } from '../../../graph/model/graph.js';

export type NodeRecord = WorkflowNode;
export type InputRecord = PrimitiveNode;
export type ConnectionRecord = Edge;

/** A text on the canvas. */
export interface AnnotationRecord {
  text: string;
  coordinates: Point;
  width?: number;
  height?: number;
}

/** A named frame around nodes. A collapsed one is drawn as one node. */
export interface GroupRecord {
  label: string;
  nodes: string[];
  is_collapsed?: boolean;
}

/** The records of each table. */
export interface Records {
  nodes: NodeRecord;
  primitiveNodes: InputRecord;
  annotations: AnnotationRecord;
  groups: GroupRecord;
  connections: ConnectionRecord;
  outputNodes: unknown;
  /** All other keys of the data, which the editor keeps. */
  other: unknown;
}

export type Table = keyof Records;

export const TABLES: readonly Table[] = [
  'nodes',
  'primitiveNodes',
  'annotations',
  'groups',
  'connections',
  'outputNodes',
  'other',
];

/**
 * The data of a workflow as tables of records, so that every edit is a list of changed records. It is never modified; records
 * that an edit does not concern stay the same objects.
 */
export type Document = { readonly [T in Table]: Readonly<Record<string, Records[T]>> };

export const EMPTY_DOCUMENT: Document = {
  nodes: {},
  primitiveNodes: {},
  annotations: {},
  groups: {},
  connections: {},
  outputNodes: {},
  other: {},
};

export const connectionKey = ({ source, destination }: ConnectionRecord): string => `${source.id}\n${destination.id}`;

type Data = Record<string, unknown>;

const isRecord = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const recordOf = (value: unknown): Data => (isRecord(value) ? value : {});

/** Reads data as the API returns it. What is not a record is left out; the API accepts no such data. */
export function readDocument(data: unknown): Document {
  const { nodes, primitiveNodes, annotations, outputNodes, connections, config, ...other } = recordOf(data);
  const { groups, ...settings } = recordOf(config);
  const edges = Array.isArray(connections) ? connections.filter(isConnection) : [];
  return {
    nodes: onlyRecords(nodes) as Record<string, NodeRecord>,
    primitiveNodes: onlyRecords(primitiveNodes) as Record<string, InputRecord>,
    annotations: onlyRecords(annotations) as unknown as Record<string, AnnotationRecord>,
    groups: onlyRecords(groups) as unknown as Record<string, GroupRecord>,
    connections: Object.fromEntries(edges.map((edge) => [connectionKey(edge), edge])),
    outputNodes: recordOf(outputNodes),
    other: { ...other, ...(Object.keys(settings).length > 0 && { config: settings }) },
  };
}

const onlyRecords = (value: unknown): Data =>
  Object.fromEntries(Object.entries(recordOf(value)).filter(([, record]) => isRecord(record)));

const isConnection = (value: unknown): value is ConnectionRecord =>
  isRecord(value) &&
  typeof recordOf(value['source'])['id'] === 'string' &&
  typeof recordOf(value['destination'])['id'] === 'string';

/** Data in the form of the API. Empty tables that no workflow needs are left out. */
export function writeData(document: Document): Data {
  const { nodes, primitiveNodes, annotations, groups, connections, outputNodes, other } = document;
  const config = { ...recordOf(other['config']), ...(hasAny(groups) && { groups }) };
  return {
    ...other,
    nodes,
    connections: Object.values(connections),
    ...(hasAny(primitiveNodes) && { primitiveNodes }),
    ...(hasAny(annotations) && { annotations }),
    ...(hasAny(outputNodes) && { outputNodes }),
    ...(hasAny(config) && { config }),
  };
}

const hasAny = (record: Readonly<Record<string, unknown>>): boolean => Object.keys(record).length > 0;
