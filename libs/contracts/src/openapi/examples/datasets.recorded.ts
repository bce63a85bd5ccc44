import type { OperationExamples } from './operation-example.js';

/** Recorded by `npm run docs:examples`; do not edit. */
export const DATASETS_EXAMPLES: OperationExamples = {
  "datasets.columns.delete": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000113",
      "name": "host"
    }
  },
  "datasets.columns.list": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000041"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "name": "host",
            "type": "text",
            "primary_key": false,
            "system": false,
            "position": 1
          },
          {
            "name": "_row",
            "type": "bigint",
            "primary_key": false,
            "system": true,
            "position": 2
          },
          {
            "name": "_first_seen",
            "type": "timestamp",
            "primary_key": false,
            "system": true,
            "position": 3
          }
        ]
      }
    }
  },
  "datasets.columns.update": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000041",
      "name": "host"
    },
    "request": {
      "type": "application/json",
      "value": {
        "type": "text"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "name": "host",
        "type": "text",
        "primary_key": false,
        "system": false,
        "position": 1
      }
    }
  },
  "datasets.columns.values": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000041",
      "name": "host"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "value": "a",
            "rows": 1
          }
        ],
        "more": false
      }
    }
  },
  "datasets.datasets.clear": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000109"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000109",
        "name": "01996a52-0000-7000-8000-000000000110",
        "solution": "01996a52-0000-7000-8000-000000000040",
        "space": "01996a52-0000-7000-8000-000000000004",
        "vault": "01996a52-0000-7000-8000-000000000003",
        "primary_key": [],
        "row_count": 0,
        "rejected_count": 0,
        "author": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z",
        "columns": [
          {
            "name": "host",
            "type": "text",
            "primary_key": false,
            "system": false,
            "position": 1
          },
          {
            "name": "_row",
            "type": "bigint",
            "primary_key": false,
            "system": true,
            "position": 2
          },
          {
            "name": "_first_seen",
            "type": "timestamp",
            "primary_key": false,
            "system": true,
            "position": 3
          }
        ]
      }
    }
  },
  "datasets.datasets.create": {
    "request": {
      "type": "application/json",
      "value": {
        "name": "x",
        "solution": "01996a52-0000-7000-8000-000000000040"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000111",
        "name": "x",
        "solution": "01996a52-0000-7000-8000-000000000040",
        "space": "01996a52-0000-7000-8000-000000000004",
        "vault": "01996a52-0000-7000-8000-000000000003",
        "primary_key": [],
        "row_count": 0,
        "rejected_count": 0,
        "author": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z",
        "columns": [
          {
            "name": "_row",
            "type": "bigint",
            "primary_key": false,
            "system": true,
            "position": 1
          },
          {
            "name": "_first_seen",
            "type": "timestamp",
            "primary_key": false,
            "system": true,
            "position": 2
          },
          {
            "name": "_run",
            "type": "bigint",
            "primary_key": false,
            "system": true,
            "position": 3
          }
        ]
      }
    }
  },
  "datasets.datasets.delete": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000112"
    }
  },
  "datasets.datasets.get": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000041"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000041",
        "name": "mine",
        "solution": "01996a52-0000-7000-8000-000000000040",
        "space": "01996a52-0000-7000-8000-000000000004",
        "vault": "01996a52-0000-7000-8000-000000000003",
        "primary_key": [],
        "row_count": 1,
        "rejected_count": 0,
        "author": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z",
        "loaded_date": "2026-01-15T09:00:00.000Z",
        "columns": [
          {
            "name": "host",
            "type": "text",
            "primary_key": false,
            "system": false,
            "position": 1
          },
          {
            "name": "_row",
            "type": "bigint",
            "primary_key": false,
            "system": true,
            "position": 2
          },
          {
            "name": "_first_seen",
            "type": "timestamp",
            "primary_key": false,
            "system": true,
            "position": 3
          }
        ]
      }
    }
  },
  "datasets.datasets.list": {
    "query": {
      "solution": "01996a52-0000-7000-8000-000000000040",
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000041",
            "name": "mine",
            "solution": "01996a52-0000-7000-8000-000000000040",
            "space": "01996a52-0000-7000-8000-000000000004",
            "vault": "01996a52-0000-7000-8000-000000000003",
            "primary_key": [],
            "row_count": 1,
            "rejected_count": 0,
            "author": "01996a52-0000-7000-8000-000000000002",
            "created_date": "2026-01-15T09:00:00.000Z",
            "modified_date": "2026-01-15T09:00:00.000Z",
            "loaded_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 1,
        "next": null,
        "previous": null
      }
    }
  },
  "datasets.datasets.update": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000041"
    },
    "request": {
      "type": "application/json",
      "value": {
        "description": "Changed"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000041",
        "name": "mine",
        "description": "Changed",
        "solution": "01996a52-0000-7000-8000-000000000040",
        "space": "01996a52-0000-7000-8000-000000000004",
        "vault": "01996a52-0000-7000-8000-000000000003",
        "primary_key": [],
        "row_count": 1,
        "rejected_count": 0,
        "author": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z",
        "loaded_date": "2026-01-15T09:00:00.000Z",
        "columns": [
          {
            "name": "host",
            "type": "text",
            "primary_key": false,
            "system": false,
            "position": 1
          },
          {
            "name": "_row",
            "type": "bigint",
            "primary_key": false,
            "system": true,
            "position": 2
          },
          {
            "name": "_first_seen",
            "type": "timestamp",
            "primary_key": false,
            "system": true,
            "position": 3
          }
        ]
      }
    }
  },
  "datasets.detectedTables.list": {
    "query": {
      "workflow": "01996a52-0000-7000-8000-000000000026",
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [],
        "count": 0,
        "next": null,
        "previous": null
      }
    }
  },
  "datasets.detectedTables.save": {
    "request": {
      "type": "application/json",
      "value": {
        "workflowId": "01996a52-0000-7000-8000-000000000026",
        "workflowName": "x",
        "tables": [
          {
            "name": "x",
            "node_name": "only-1"
          }
        ]
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          "01996a52-0000-7000-8000-000000000118"
        ],
        "count": 1
      }
    }
  },
  "datasets.exports.create": {
    "request": {
      "type": "application/json",
      "value": {
        "dataset": "01996a52-0000-7000-8000-000000000041"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1002",
        "vaultId": "01996a52-0000-7000-8000-000000000003",
        "user": "01996a52-0000-7000-8000-000000000002",
        "solutionId": "01996a52-0000-7000-8000-000000000040",
        "datasetId": "01996a52-0000-7000-8000-000000000041",
        "fileName": "mine-2026-01-15.csv",
        "format": "csv",
        "size": 0,
        "rows": 0,
        "status": "PENDING",
        "createdAt": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "datasets.exports.delete": {
    "params": {
      "id": "1003"
    }
  },
  "datasets.exports.download": {
    "params": {
      "id": "1001"
    },
    "response": {
      "type": "application/octet-stream",
      "value": "host\na\n"
    }
  },
  "datasets.exports.get": {
    "params": {
      "id": "1001"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1001",
        "vaultId": "01996a52-0000-7000-8000-000000000003",
        "user": "01996a52-0000-7000-8000-000000000002",
        "solutionId": "01996a52-0000-7000-8000-000000000040",
        "datasetId": "01996a52-0000-7000-8000-000000000041",
        "fileName": "mine-2026-01-15.csv",
        "format": "csv",
        "size": 7,
        "rows": 1,
        "status": "COMPLETED",
        "createdAt": "2026-01-15T09:00:00.000Z",
        "finishedAt": "2026-01-15T09:00:00.000Z",
        "expiresAt": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "datasets.exports.list": {
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "1001",
            "vaultId": "01996a52-0000-7000-8000-000000000003",
            "user": "01996a52-0000-7000-8000-000000000002",
            "solutionId": "01996a52-0000-7000-8000-000000000040",
            "datasetId": "01996a52-0000-7000-8000-000000000041",
            "fileName": "mine-2026-01-15.csv",
            "format": "csv",
            "size": 7,
            "rows": 1,
            "status": "COMPLETED",
            "createdAt": "2026-01-15T09:00:00.000Z",
            "finishedAt": "2026-01-15T09:00:00.000Z",
            "expiresAt": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 1,
        "next": null,
        "previous": null
      }
    }
  },
  "datasets.indexes.list": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000041"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": []
      }
    }
  },
  "datasets.loads.get": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000041",
      "loadId": "1001"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1001",
        "dataset": "01996a52-0000-7000-8000-000000000041",
        "status": "COMPLETED",
        "partial": false,
        "parts": {
          "total": 1,
          "read": 1
        },
        "bytes": {
          "total": 13,
          "read": 13
        },
        "rows_read": 1,
        "rows_rejected": 0,
        "rows_new": 1,
        "rows_changed": 0,
        "rows_unchanged": 0,
        "rows_gone": 0,
        "author": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z",
        "started_date": "2026-01-15T09:00:00.000Z",
        "finished_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "datasets.loads.list": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000041"
    },
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "1001",
            "dataset": "01996a52-0000-7000-8000-000000000041",
            "status": "COMPLETED",
            "partial": false,
            "parts": {
              "total": 1,
              "read": 1
            },
            "bytes": {
              "total": 13,
              "read": 13
            },
            "rows_read": 1,
            "rows_rejected": 0,
            "rows_new": 1,
            "rows_changed": 0,
            "rows_unchanged": 0,
            "rows_gone": 0,
            "author": "01996a52-0000-7000-8000-000000000002",
            "created_date": "2026-01-15T09:00:00.000Z",
            "started_date": "2026-01-15T09:00:00.000Z",
            "finished_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 1,
        "next": null,
        "previous": null
      }
    }
  },
  "datasets.loads.listOfRun": {
    "params": {
      "id": "1001"
    },
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [],
        "count": 0,
        "next": null,
        "previous": null
      }
    }
  },
  "datasets.loads.rejected": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000041"
    },
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [],
        "count": 0,
        "next": null,
        "previous": null
      }
    }
  },
  "datasets.queryFolders.add": {
    "params": {
      "folderId": "1002",
      "viewId": "01996a52-0000-7000-8000-000000000042"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1002",
        "vaultId": "01996a52-0000-7000-8000-000000000003",
        "name": "Own",
        "sortOrder": 0,
        "queryCount": 1,
        "createdAt": "2026-01-15T09:00:00.000Z",
        "updatedAt": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "datasets.queryFolders.create": {
    "request": {
      "type": "application/json",
      "value": {
        "name": "x"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1003",
        "vaultId": "01996a52-0000-7000-8000-000000000003",
        "name": "x",
        "sortOrder": 0,
        "queryCount": 0,
        "createdAt": "2026-01-15T09:00:00.000Z",
        "updatedAt": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "datasets.queryFolders.delete": {
    "params": {
      "folderId": "1004"
    }
  },
  "datasets.queryFolders.get": {
    "params": {
      "folderId": "1001"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1001",
        "vaultId": "01996a52-0000-7000-8000-000000000003",
        "name": "Mine",
        "sortOrder": 0,
        "queryCount": 0,
        "createdAt": "2026-01-15T09:00:00.000Z",
        "updatedAt": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "datasets.queryFolders.list": {
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "1001",
            "vaultId": "01996a52-0000-7000-8000-000000000003",
            "name": "Mine",
            "sortOrder": 0,
            "queryCount": 0,
            "createdAt": "2026-01-15T09:00:00.000Z",
            "updatedAt": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 1,
        "next": null,
        "previous": null
      }
    }
  },
  "datasets.queryFolders.queries": {
    "params": {
      "folderId": "1001"
    },
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [],
        "count": 0,
        "next": null,
        "previous": null
      }
    }
  },
  "datasets.queryFolders.remove": {
    "params": {
      "folderId": "1007",
      "viewId": "01996a52-0000-7000-8000-000000000042"
    }
  },
  "datasets.queryFolders.update": {
    "params": {
      "folderId": "1005"
    },
    "request": {
      "type": "application/json",
      "value": {
        "color": "red"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1005",
        "vaultId": "01996a52-0000-7000-8000-000000000003",
        "name": "Own",
        "color": "red",
        "sortOrder": 0,
        "queryCount": 1,
        "createdAt": "2026-01-15T09:00:00.000Z",
        "updatedAt": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "datasets.reportingNodes.create": {
    "request": {
      "type": "application/json",
      "value": {
        "workflow": "01996a52-0000-7000-8000-000000000026",
        "node_name": "only-1",
        "dataset_id": "01996a52-0000-7000-8000-000000000041"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000116",
        "vault": "01996a52-0000-7000-8000-000000000003",
        "workflow": "01996a52-0000-7000-8000-000000000026",
        "node_name": "only-1",
        "output_name": "output.txt",
        "dataset_id": "01996a52-0000-7000-8000-000000000041",
        "is_module": false,
        "load_partial": false,
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "datasets.reportingNodes.delete": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000117"
    }
  },
  "datasets.reportingNodes.get": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000043"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000043",
        "vault": "01996a52-0000-7000-8000-000000000003",
        "workflow": "01996a52-0000-7000-8000-000000000026",
        "node_name": "only-1",
        "output_name": "found.jsonl",
        "dataset_id": "01996a52-0000-7000-8000-000000000041",
        "is_module": false,
        "load_partial": false,
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "datasets.reportingNodes.list": {
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000043",
            "vault": "01996a52-0000-7000-8000-000000000003",
            "workflow": "01996a52-0000-7000-8000-000000000026",
            "node_name": "only-1",
            "output_name": "found.jsonl",
            "dataset_id": "01996a52-0000-7000-8000-000000000041",
            "is_module": false,
            "load_partial": false,
            "created_date": "2026-01-15T09:00:00.000Z",
            "modified_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 1,
        "next": null,
        "previous": null
      }
    }
  },
  "datasets.reportingNodes.load": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000043"
    },
    "request": {
      "type": "application/json",
      "value": {
        "run": "1023"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1007",
        "dataset": "01996a52-0000-7000-8000-000000000041",
        "status": "PENDING",
        "run": "1023",
        "revision": 0,
        "partial": false,
        "workflow": "01996a52-0000-7000-8000-000000000026",
        "version": "01996a52-0000-7000-8000-000000000082",
        "node": "only-1",
        "output_name": "found.jsonl",
        "reporting_node": "01996a52-0000-7000-8000-000000000043",
        "parts": {
          "total": 0,
          "read": 0
        },
        "bytes": {
          "total": 0,
          "read": 0
        },
        "rows_read": 0,
        "rows_rejected": 0,
        "rows_new": 0,
        "rows_changed": 0,
        "rows_unchanged": 0,
        "rows_gone": 0,
        "created_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "datasets.reportingNodes.update": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000043"
    },
    "request": {
      "type": "application/json",
      "value": {
        "is_module": false
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000043",
        "vault": "01996a52-0000-7000-8000-000000000003",
        "workflow": "01996a52-0000-7000-8000-000000000026",
        "node_name": "only-1",
        "output_name": "found.jsonl",
        "dataset_id": "01996a52-0000-7000-8000-000000000041",
        "is_module": false,
        "load_partial": false,
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "datasets.rows.aggregate": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000041"
    },
    "query": {
      "group_by": "host"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "host": "a",
            "count": 1
          }
        ],
        "columns": [
          {
            "name": "host",
            "type": "text"
          },
          {
            "name": "count",
            "type": "bigint"
          }
        ],
        "more": false
      }
    }
  },
  "datasets.rows.append": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000041"
    },
    "request": {
      "type": "application/json",
      "value": {
        "host": "sent"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1004",
        "dataset": "01996a52-0000-7000-8000-000000000041",
        "status": "COMPLETED",
        "partial": false,
        "parts": {
          "total": 1,
          "read": 1
        },
        "bytes": {
          "total": 15,
          "read": 15
        },
        "rows_read": 1,
        "rows_rejected": 0,
        "rows_new": 1,
        "rows_changed": 0,
        "rows_unchanged": 0,
        "rows_gone": 0,
        "author": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z",
        "started_date": "2026-01-15T09:00:00.000Z",
        "finished_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "datasets.rows.changes": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000041"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "kind": "new",
            "row": 1,
            "after": {
              "host": "a"
            }
          }
        ],
        "at": "2026-01-15T09:00:00.000Z",
        "counts": {
          "new": 1,
          "changed": 0,
          "gone": 0
        },
        "cursor": null
      }
    }
  },
  "datasets.rows.delete": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000041"
    },
    "query": {
      "q": "host = nobody"
    },
    "response": {
      "type": "application/json",
      "value": {
        "deleted": 0
      }
    }
  },
  "datasets.rows.get": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000041",
      "row": "1"
    },
    "response": {
      "type": "application/json",
      "value": {
        "row": {
          "host": "a",
          "_row": 1,
          "_first_seen": "2026-01-15T09:00:00.000Z",
          "_run": null,
          "_subjob": null
        },
        "first_seen": {
          "at": "2026-01-15T09:00:00.000Z",
          "load": "1001"
        },
        "last_seen": {
          "at": "2026-01-15T09:00:00.000Z",
          "load": "1001"
        }
      }
    }
  },
  "datasets.rows.help": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000041"
    },
    "response": {
      "type": "application/json",
      "value": {
        "columns": [
          {
            "name": "host",
            "type": "text",
            "operators": [
              "=",
              "!=",
              ">"
            ]
          },
          {
            "name": "_row",
            "type": "bigint",
            "operators": [
              "=",
              "!=",
              ">"
            ]
          },
          {
            "name": "_first_seen",
            "type": "timestamp",
            "operators": [
              "=",
              "!=",
              ">"
            ]
          }
        ],
        "from": 0,
        "to": 0,
        "items": [
          {
            "label": "host",
            "kind": "column",
            "insert": "host",
            "detail": "text"
          },
          {
            "label": "_row",
            "kind": "column",
            "insert": "_row",
            "detail": "bigint"
          },
          {
            "label": "_first_seen",
            "kind": "column",
            "insert": "_first_seen",
            "detail": "timestamp"
          }
        ]
      }
    }
  },
  "datasets.rows.query": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000041"
    },
    "query": {
      "q": "host != null",
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "host": "a",
            "_row": 1,
            "_first_seen": "2026-01-15T09:00:00.000Z",
            "_run": null,
            "_subjob": null
          }
        ],
        "columns": [
          {
            "name": "host",
            "type": "text"
          },
          {
            "name": "_row",
            "type": "bigint"
          },
          {
            "name": "_first_seen",
            "type": "timestamp"
          }
        ],
        "count": 1,
        "cursor": null
      }
    }
  },
  "datasets.runTables.compare": {
    "params": {
      "id": "1001",
      "otherId": "1001"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [],
        "cursor": null
      }
    }
  },
  "datasets.runTables.rows": {
    "params": {
      "id": "1001",
      "otherId": "1001",
      "dataset": "01996a52-0000-7000-8000-000000000041"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [],
        "cursor": null
      }
    }
  },
  "datasets.solutions.copy": {
    "request": {
      "type": "application/json",
      "value": {
        "name": "x",
        "space": "01996a52-0000-7000-8000-000000000004",
        "solution": "01996a52-0000-7000-8000-000000000040"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000106",
        "name": "x",
        "space": "01996a52-0000-7000-8000-000000000004",
        "is_public": false,
        "author": "01996a52-0000-7000-8000-000000000002",
        "tags": [],
        "datasets_count": 1,
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "datasets.solutions.create": {
    "request": {
      "type": "application/json",
      "value": {
        "name": "x",
        "space": "01996a52-0000-7000-8000-000000000004"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000107",
        "name": "x",
        "space": "01996a52-0000-7000-8000-000000000004",
        "is_public": false,
        "author": "01996a52-0000-7000-8000-000000000002",
        "tags": [],
        "datasets_count": 0,
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "datasets.solutions.delete": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000108"
    }
  },
  "datasets.solutions.get": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000040"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000040",
        "name": "Mine",
        "space": "01996a52-0000-7000-8000-000000000004",
        "is_public": false,
        "author": "01996a52-0000-7000-8000-000000000002",
        "tags": [],
        "datasets_count": 1,
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "datasets.solutions.list": {
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000040",
            "name": "Mine",
            "space": "01996a52-0000-7000-8000-000000000004",
            "is_public": false,
            "author": "01996a52-0000-7000-8000-000000000002",
            "tags": [],
            "datasets_count": 1,
            "created_date": "2026-01-15T09:00:00.000Z",
            "modified_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 1
      }
    }
  },
  "datasets.solutions.query": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000040"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "host": "a",
            "_row": 1,
            "_first_seen": "2026-01-15T09:00:00.000Z",
            "_run": null,
            "_subjob": null,
            "_dataset": "mine"
          }
        ],
        "columns": [
          {
            "name": "host",
            "type": "text"
          },
          {
            "name": "_row",
            "type": "bigint"
          },
          {
            "name": "_first_seen",
            "type": "timestamp"
          }
        ],
        "count": 1,
        "cursor": null
      }
    }
  },
  "datasets.solutions.update": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000040"
    },
    "request": {
      "type": "application/json",
      "value": {
        "description": "Changed"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000040",
        "name": "Mine",
        "description": "Changed",
        "space": "01996a52-0000-7000-8000-000000000004",
        "is_public": false,
        "author": "01996a52-0000-7000-8000-000000000002",
        "tags": [],
        "datasets_count": 1,
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "datasets.views.create": {
    "params": {
      "solutionId": "01996a52-0000-7000-8000-000000000040"
    },
    "request": {
      "type": "application/json",
      "value": {
        "name": "x",
        "dataset": "01996a52-0000-7000-8000-000000000041"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000114",
        "name": "x",
        "dataset": "01996a52-0000-7000-8000-000000000041",
        "solution": "01996a52-0000-7000-8000-000000000040",
        "author": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "datasets.views.delete": {
    "params": {
      "solutionId": "01996a52-0000-7000-8000-000000000040",
      "viewId": "01996a52-0000-7000-8000-000000000115"
    }
  },
  "datasets.views.get": {
    "params": {
      "solutionId": "01996a52-0000-7000-8000-000000000040",
      "viewId": "01996a52-0000-7000-8000-000000000042"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000042",
        "name": "Mine",
        "dataset": "01996a52-0000-7000-8000-000000000041",
        "solution": "01996a52-0000-7000-8000-000000000040",
        "q": "host != null",
        "author": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "datasets.views.list": {
    "params": {
      "solutionId": "01996a52-0000-7000-8000-000000000040"
    },
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000042",
            "name": "Mine",
            "dataset": "01996a52-0000-7000-8000-000000000041",
            "solution": "01996a52-0000-7000-8000-000000000040",
            "q": "host != null",
            "author": "01996a52-0000-7000-8000-000000000002",
            "created_date": "2026-01-15T09:00:00.000Z",
            "modified_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 1,
        "next": null,
        "previous": null
      }
    }
  },
  "datasets.views.rows": {
    "params": {
      "solutionId": "01996a52-0000-7000-8000-000000000040",
      "viewId": "01996a52-0000-7000-8000-000000000042"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "host": "a",
            "_row": 1,
            "_first_seen": "2026-01-15T09:00:00.000Z",
            "_run": null,
            "_subjob": null
          }
        ],
        "columns": [
          {
            "name": "host",
            "type": "text"
          },
          {
            "name": "_row",
            "type": "bigint"
          },
          {
            "name": "_first_seen",
            "type": "timestamp"
          }
        ],
        "count": 1,
        "cursor": null
      }
    }
  },
  "datasets.views.update": {
    "params": {
      "solutionId": "01996a52-0000-7000-8000-000000000040",
      "viewId": "01996a52-0000-7000-8000-000000000042"
    },
    "request": {
      "type": "application/json",
      "value": {
        "description": "Changed"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000042",
        "name": "Mine",
        "description": "Changed",
        "dataset": "01996a52-0000-7000-8000-000000000041",
        "solution": "01996a52-0000-7000-8000-000000000040",
        "q": "host != null",
        "author": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  }
};
