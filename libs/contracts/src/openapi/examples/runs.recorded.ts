import type { OperationExamples } from './operation-example.js';

/** Recorded by `npm run docs:examples`; do not edit. */
export const RUNS_EXAMPLES: OperationExamples = {
  "runs.approvals.approve": {
    "params": {
      "id": "1016",
      "subjobId": "1017"
    },
    "request": {
      "type": "application/json",
      "value": {
        "comment": "Looks good"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1017",
        "run": "1016",
        "node": "ok-1",
        "label": "ok",
        "status": "SUCCEEDED",
        "message": "approved by user1@example.org: Looks good",
        "attempt": 1,
        "max_attempts": 1,
        "params": {},
        "outputs_status": "SAVED",
        "cached": false,
        "started_at": "2026-01-15T09:00:00.000Z",
        "finished_at": "2026-01-15T09:00:00.000Z",
        "duration_ms": 1200,
        "execution_units": 1,
        "approval": {
          "state": "approved",
          "message": "Publish the report?",
          "role": "execute",
          "requested_at": "2026-01-15T09:00:00.000Z",
          "decided_by": "01996a52-0000-7000-8000-000000000002",
          "decided_at": "2026-01-15T09:00:00.000Z",
          "comment": "Looks good"
        }
      }
    }
  },
  "runs.approvals.reject": {
    "params": {
      "id": "1018",
      "subjobId": "1019"
    },
    "request": {
      "type": "application/json",
      "value": {
        "comment": "Not yet"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1019",
        "run": "1018",
        "node": "ok-1",
        "label": "ok",
        "status": "FAILED",
        "message": "rejected by user1@example.org: Not yet",
        "attempt": 1,
        "max_attempts": 1,
        "params": {},
        "outputs_status": "NONE",
        "cached": false,
        "started_at": "2026-01-15T09:00:00.000Z",
        "finished_at": "2026-01-15T09:00:00.000Z",
        "duration_ms": 1200,
        "execution_units": 1,
        "approval": {
          "state": "rejected",
          "message": "Publish the report?",
          "role": "execute",
          "requested_at": "2026-01-15T09:00:00.000Z",
          "decided_by": "01996a52-0000-7000-8000-000000000002",
          "decided_at": "2026-01-15T09:00:00.000Z",
          "comment": "Not yet"
        }
      }
    }
  },
  "runs.cache.clearSpace": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000004"
    },
    "response": {
      "type": "application/json",
      "value": {
        "removed": 0,
        "complete": true
      }
    }
  },
  "runs.cache.clearWorkflow": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    },
    "response": {
      "type": "application/json",
      "value": {
        "removed": 0,
        "complete": true
      }
    }
  },
  "runs.cache.explain": {
    "params": {
      "id": "1001",
      "subjobId": "1001"
    },
    "response": {
      "type": "application/json",
      "value": {
        "run": "1001",
        "subjob": "1001",
        "node": "only-1",
        "result": "not_used",
        "reason": "off_for_node",
        "message": "The node has no `cache: true`, and the run was not started with `use_cache: true`.",
        "parts": [],
        "reusable": false,
        "runs_examined": 0
      }
    }
  },
  "runs.compare.get": {
    "params": {
      "id": "1001",
      "otherId": "1001"
    },
    "response": {
      "type": "application/json",
      "value": {
        "a": {
          "id": "1001",
          "name": "Example 5",
          "status": "COMPLETED",
          "has_failures": false,
          "workflow_info": "01996a52-0000-7000-8000-000000000030",
          "workflow_name": "Example 5",
          "workflow_version_info": "01996a52-0000-7000-8000-000000000031",
          "created_date": "2026-01-15T09:00:00.000Z",
          "started_date": "2026-01-15T09:00:00.000Z",
          "completed_date": "2026-01-15T09:00:00.000Z",
          "duration_ms": 1200,
          "run_insights": {
            "total": 1,
            "pending": 0,
            "running": 0,
            "succeeded": 1,
            "failed": 0,
            "stopping": 0,
            "stopped": 0,
            "skipped": 0
          },
          "execution_units": 1
        },
        "b": {
          "id": "1001",
          "name": "Example 5",
          "status": "COMPLETED",
          "has_failures": false,
          "workflow_info": "01996a52-0000-7000-8000-000000000030",
          "workflow_name": "Example 5",
          "workflow_version_info": "01996a52-0000-7000-8000-000000000031",
          "created_date": "2026-01-15T09:00:00.000Z",
          "started_date": "2026-01-15T09:00:00.000Z",
          "completed_date": "2026-01-15T09:00:00.000Z",
          "duration_ms": 1200,
          "run_insights": {
            "total": 1,
            "pending": 0,
            "running": 0,
            "succeeded": 1,
            "failed": 0,
            "stopping": 0,
            "stopped": 0,
            "skipped": 0
          },
          "execution_units": 1
        },
        "difference": {
          "duration_ms": 1200,
          "execution_units": 1
        },
        "same_plan": true,
        "version": {
          "same": true,
          "nodes": {
            "added": [],
            "removed": [],
            "changed": []
          },
          "more": 0,
          "edges": 0
        },
        "inputs": {
          "added": [],
          "removed": [],
          "changed": [],
          "same": 0
        },
        "nodes": {
          "both": 1,
          "only_in_a": 0,
          "only_in_b": 0
        },
        "outputs": {
          "same": 1,
          "changed": 0,
          "only_in_a": 0,
          "only_in_b": 0
        }
      }
    }
  },
  "runs.compare.nodes": {
    "params": {
      "id": "1001",
      "otherId": "1001"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "node": "only-1",
            "label": "only",
            "a": {
              "subjob": "1001",
              "status": "SUCCEEDED",
              "duration_ms": 1200,
              "execution_units": 1
            },
            "b": {
              "subjob": "1001",
              "status": "SUCCEEDED",
              "duration_ms": 1200,
              "execution_units": 1
            },
            "difference": {
              "duration_ms": 1200,
              "execution_units": 1
            },
            "outputs": {
              "same": 1,
              "changed": 0,
              "only_in_a": 0,
              "only_in_b": 0
            }
          }
        ],
        "cursor": null
      }
    }
  },
  "runs.compare.outputs": {
    "params": {
      "id": "1001",
      "otherId": "1001"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "node": "only-1",
            "path": "output.txt",
            "change": "same",
            "a": {
              "id": "01996a52-0000-7000-8000-000000000038",
              "subjob": "1001",
              "sha256": "fcbc800db3f1867000b852f1ce0044b8f1584f76ade1ed6e65189824f95c3cda",
              "size": 5
            },
            "b": {
              "id": "01996a52-0000-7000-8000-000000000038",
              "subjob": "1001",
              "sha256": "fcbc800db3f1867000b852f1ce0044b8f1584f76ade1ed6e65189824f95c3cda",
              "size": 5
            }
          }
        ],
        "cursor": null
      }
    }
  },
  "runs.failures.list": {
    "params": {
      "id": "1002"
    },
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "2-c7055390e10f91b3",
            "node": "scan-1",
            "label": "scan",
            "subjob": "1003",
            "kind": "exit_code",
            "exit_code": 4,
            "reason": "exit code 4: no route to host",
            "count": 3,
            "children": 6,
            "share": 0.5,
            "first_at": "2026-01-15T09:00:00.000Z",
            "last_at": "2026-01-15T09:00:00.000Z",
            "examples": [
              {
                "subjob": "1004",
                "task_index": 1,
                "item": "1",
                "message": "exit code 4: no route to host",
                "attempt": 1,
                "finished_at": "2026-01-15T09:00:00.000Z",
                "stderr": "no route to host"
              },
              {
                "subjob": "1005",
                "task_index": 3,
                "item": "3",
                "message": "exit code 4: no route to host",
                "attempt": 1,
                "finished_at": "2026-01-15T09:00:00.000Z"
              },
              {
                "subjob": "1006",
                "task_index": 5,
                "item": "5",
                "message": "exit code 4: no route to host",
                "attempt": 1,
                "finished_at": "2026-01-15T09:00:00.000Z"
              }
            ]
          }
        ],
        "count": 1,
        "failed": 3,
        "next": null,
        "previous": null
      }
    }
  },
  "runs.failures.subjobs": {
    "params": {
      "id": "1002",
      "group": "2-c7055390e10f91b3"
    },
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "subjob": "1004",
            "task_index": 1,
            "item": "1",
            "message": "exit code 4: no route to host",
            "attempt": 1,
            "finished_at": "2026-01-15T09:00:00.000Z"
          },
          {
            "subjob": "1005",
            "task_index": 3,
            "item": "3",
            "message": "exit code 4: no route to host",
            "attempt": 1,
            "finished_at": "2026-01-15T09:00:00.000Z"
          }
        ],
        "cursor": "example-cursor"
      }
    }
  },
  "runs.fleets.delete": {
    "params": {
      "name": "old-84608636"
    }
  },
  "runs.fleets.list": {
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "name": "default",
            "labels": {},
            "sizes": [
              "small",
              "medium",
              "large"
            ],
            "workers": 1,
            "slots": 6,
            "busy": 0,
            "waiting": 0,
            "oldest_waiting_seconds": 0
          },
          {
            "name": "gpu",
            "labels": {
              "gpu": "true"
            },
            "sizes": [
              "small",
              "medium",
              "large"
            ],
            "workers": 1,
            "slots": 8,
            "busy": 0,
            "waiting": 0,
            "oldest_waiting_seconds": 0
          }
        ]
      }
    }
  },
  "runs.outputs.archive": {
    "params": {
      "id": "1001"
    },
    "response": {
      "type": "application/zip",
      "value": "(a zip archive)"
    }
  },
  "runs.outputs.download": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000038"
    },
    "response": {
      "type": "application/octet-stream",
      "value": "mine\n"
    }
  },
  "runs.outputs.downloadSigned": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000038"
    },
    "query": {
      "expires": "1768468500000",
      "signature": "example-signature"
    },
    "response": {
      "type": "application/octet-stream",
      "value": "mine\n"
    }
  },
  "runs.outputs.listOfRun": {
    "params": {
      "id": "1001"
    },
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000038",
            "run": "1001",
            "subjob": "1001",
            "node": "only-1",
            "label": "only",
            "name": "output.txt",
            "size": 5,
            "pretty_size": "5 B",
            "format": "txt",
            "path": "output.txt",
            "sha256": "fcbc800db3f1867000b852f1ce0044b8f1584f76ade1ed6e65189824f95c3cda"
          }
        ],
        "count": 1,
        "cursor": null,
        "next": null,
        "previous": null
      }
    }
  },
  "runs.outputs.listOfSubjob": {
    "params": {
      "id": "1001",
      "subjobId": "1001"
    },
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000038",
            "run": "1001",
            "subjob": "1001",
            "node": "only-1",
            "label": "only",
            "name": "output.txt",
            "size": 5,
            "pretty_size": "5 B",
            "format": "txt",
            "path": "output.txt",
            "sha256": "fcbc800db3f1867000b852f1ce0044b8f1584f76ade1ed6e65189824f95c3cda"
          }
        ],
        "count": 1,
        "cursor": null,
        "next": null,
        "previous": null
      }
    }
  },
  "runs.outputs.sign": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000038"
    },
    "response": {
      "type": "application/json",
      "value": {
        "url": "https://millrace.example.org/api/outputs/01996a52-0000-7000-8000-000000000038/signed?expires=example&signature=example",
        "expires_at": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "runs.parameters.set": {
    "params": {
      "id": "1022"
    },
    "request": {
      "type": "application/json",
      "value": {
        "nodes": {
          "a-1": {
            "level": "2"
          }
        }
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1022",
        "name": "Example 15",
        "status": "COMPLETED",
        "partial": false,
        "has_failures": false,
        "creation_type": "MANUAL",
        "workflow_info": "01996a52-0000-7000-8000-000000000103",
        "workflow_name": "Example 15",
        "workflow_version_info": "01996a52-0000-7000-8000-000000000104",
        "space_info": "01996a52-0000-7000-8000-000000000004",
        "space_name": "Playground",
        "parallelism": 1,
        "priority": 0,
        "pinned": false,
        "paused": false,
        "stalled": false,
        "author": "01996a52-0000-7000-8000-000000000002",
        "last_change": 18,
        "created_date": "2026-01-15T09:00:00.000Z",
        "started_date": "2026-01-15T09:00:00.000Z",
        "completed_date": "2026-01-15T09:00:00.000Z",
        "finished": true,
        "duration_ms": 1200,
        "run_insights": {
          "total": 1,
          "pending": 0,
          "running": 0,
          "succeeded": 1,
          "failed": 0,
          "stopping": 0,
          "stopped": 0,
          "skipped": 0
        },
        "execution_units": 1,
        "parameters": {
          "a-1": {
            "level": "2"
          }
        }
      }
    }
  },
  "runs.runs.create": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    },
    "request": {
      "type": "application/json",
      "value": {
        "name": "Nightly",
        "parallelism": 4
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1004",
        "name": "Nightly",
        "status": "SUBMITTED",
        "partial": false,
        "has_failures": false,
        "creation_type": "MANUAL",
        "workflow_info": "01996a52-0000-7000-8000-000000000026",
        "workflow_name": "Example 3",
        "workflow_version_info": "01996a52-0000-7000-8000-000000000082",
        "space_info": "01996a52-0000-7000-8000-000000000004",
        "space_name": "Playground",
        "parallelism": 4,
        "priority": 0,
        "pinned": false,
        "paused": false,
        "stalled": false,
        "author": "01996a52-0000-7000-8000-000000000002",
        "last_change": 18,
        "created_date": "2026-01-15T09:00:00.000Z",
        "finished": false,
        "run_insights": {
          "total": 1,
          "pending": 1,
          "running": 0,
          "succeeded": 0,
          "failed": 0,
          "stopping": 0,
          "stopped": 0,
          "skipped": 0
        },
        "execution_units": 1,
        "inputs": {
          "given": {},
          "resolved": []
        }
      }
    }
  },
  "runs.runs.delete": {
    "params": {
      "id": "1007"
    }
  },
  "runs.runs.events": {
    "params": {
      "id": "1001"
    },
    "response": {
      "type": "text/event-stream",
      "value": "id: 1\nevent: change\ndata: {\"at\":\"2026-01-15T09:00:00.000Z\",\"node\":\"only-1\",\"status\":\"RUNNING\",\"subject\":\"1001\"}\n\nid: 2\nevent: change\ndata: {\"at\":\"2026-01-15T09:00:00.000Z\",\"status\":\"RUNNING\",\"subject\":\"run\"}\n\nid: 3\nevent: change\ndata: {\"at\":\"2026-01-15T09:00:00.000Z\",\"node\":\"only-1\",\"status\":\"SUCCEEDED\",\"subject\":\"1001\"}\n\nid: 4\nevent: change\ndata: {\"at\":\"2026-01-15T09:00:00.000Z\",\"status\":\"COMPLETED\",\"subject\":\"run\"}\n\nevent: end\ndata: {\"status\":\"COMPLETED\"}\n\n"
    }
  },
  "runs.runs.get": {
    "params": {
      "id": "1002"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1002",
        "name": "Example 4",
        "status": "COMPLETED",
        "partial": false,
        "has_failures": true,
        "creation_type": "MANUAL",
        "workflow_info": "01996a52-0000-7000-8000-000000000028",
        "workflow_name": "Example 4",
        "workflow_version_info": "01996a52-0000-7000-8000-000000000029",
        "space_info": "01996a52-0000-7000-8000-000000000004",
        "space_name": "Playground",
        "parallelism": 14,
        "priority": 0,
        "pinned": false,
        "paused": false,
        "stalled": false,
        "author": "01996a52-0000-7000-8000-000000000002",
        "last_change": 18,
        "created_date": "2026-01-15T09:00:00.000Z",
        "started_date": "2026-01-15T09:00:00.000Z",
        "completed_date": "2026-01-15T09:00:00.000Z",
        "finished": true,
        "duration_ms": 1200,
        "run_insights": {
          "total": 7,
          "pending": 0,
          "running": 0,
          "succeeded": 4,
          "failed": 3,
          "stopping": 0,
          "stopped": 0,
          "skipped": 0
        },
        "execution_units": 1,
        "inputs": {
          "given": {},
          "resolved": []
        }
      }
    }
  },
  "runs.runs.list": {
    "query": {
      "space": "01996a52-0000-7000-8000-000000000004",
      "status": "COMPLETED,FAILED",
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "1002",
            "name": "Example 4",
            "status": "COMPLETED",
            "partial": false,
            "has_failures": true,
            "creation_type": "MANUAL",
            "workflow_info": "01996a52-0000-7000-8000-000000000028",
            "workflow_name": "Example 4",
            "workflow_version_info": "01996a52-0000-7000-8000-000000000029",
            "space_info": "01996a52-0000-7000-8000-000000000004",
            "space_name": "Playground",
            "parallelism": 14,
            "priority": 0,
            "pinned": false,
            "paused": false,
            "stalled": false,
            "author": "01996a52-0000-7000-8000-000000000002",
            "last_change": 18,
            "created_date": "2026-01-15T09:00:00.000Z",
            "started_date": "2026-01-15T09:00:00.000Z",
            "completed_date": "2026-01-15T09:00:00.000Z",
            "finished": true,
            "duration_ms": 1200,
            "run_insights": {
              "total": 7,
              "pending": 0,
              "running": 0,
              "succeeded": 4,
              "failed": 3,
              "stopping": 0,
              "stopped": 0,
              "skipped": 0
            },
            "execution_units": 1
          },
          {
            "id": "1001",
            "name": "Example 5",
            "status": "COMPLETED",
            "partial": false,
            "has_failures": false,
            "creation_type": "MANUAL",
            "workflow_info": "01996a52-0000-7000-8000-000000000030",
            "workflow_name": "Example 5",
            "workflow_version_info": "01996a52-0000-7000-8000-000000000031",
            "space_info": "01996a52-0000-7000-8000-000000000004",
            "space_name": "Playground",
            "parallelism": 1,
            "priority": 0,
            "pinned": false,
            "paused": false,
            "stalled": false,
            "author": "01996a52-0000-7000-8000-000000000002",
            "last_change": 18,
            "created_date": "2026-01-15T09:00:00.000Z",
            "started_date": "2026-01-15T09:00:00.000Z",
            "completed_date": "2026-01-15T09:00:00.000Z",
            "finished": true,
            "duration_ms": 1200,
            "run_insights": {
              "total": 1,
              "pending": 0,
              "running": 0,
              "succeeded": 1,
              "failed": 0,
              "stopping": 0,
              "stopped": 0,
              "skipped": 0
            },
            "execution_units": 1
          }
        ],
        "count": 2,
        "cursor": null,
        "next": null,
        "previous": null
      }
    }
  },
  "runs.runs.listOfWorkflow": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    },
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [],
        "count": 0,
        "cursor": null,
        "next": null,
        "previous": null
      }
    }
  },
  "runs.runs.pause": {
    "params": {
      "id": "1020"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1020",
        "name": "Example 13",
        "status": "SUBMITTED",
        "partial": false,
        "has_failures": false,
        "creation_type": "MANUAL",
        "workflow_info": "01996a52-0000-7000-8000-000000000099",
        "workflow_name": "Example 13",
        "workflow_version_info": "01996a52-0000-7000-8000-000000000100",
        "space_info": "01996a52-0000-7000-8000-000000000004",
        "space_name": "Playground",
        "parallelism": 1,
        "priority": 0,
        "pinned": false,
        "paused": true,
        "stalled": false,
        "author": "01996a52-0000-7000-8000-000000000002",
        "last_change": 18,
        "created_date": "2026-01-15T09:00:00.000Z",
        "finished": false,
        "run_insights": {
          "total": 1,
          "pending": 1,
          "running": 0,
          "succeeded": 0,
          "failed": 0,
          "stopping": 0,
          "stopped": 0,
          "skipped": 0
        },
        "execution_units": 1
      }
    }
  },
  "runs.runs.plan": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    },
    "request": {
      "type": "application/json",
      "value": {
        "parallelism": 4
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "workflow": "01996a52-0000-7000-8000-000000000026",
        "version": "01996a52-0000-7000-8000-000000000082",
        "problems": [],
        "can_start": true,
        "steps": [
          {
            "node": "only-1",
            "label": "only",
            "type": "SCRIPT",
            "runner": "bash",
            "after": [],
            "children": 1,
            "cache": {
              "result": "miss",
              "reason": "the node does not use the cache"
            },
            "estimate": {
              "duration_ms": 1200,
              "execution_units": 1,
              "runs": 2
            }
          }
        ],
        "steps_omitted": 0,
        "estimate": {
          "duration_ms": 1200,
          "execution_units": 1,
          "without_estimate": []
        },
        "parallelism": 4
      }
    }
  },
  "runs.runs.resume": {
    "params": {
      "id": "1021"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1021",
        "name": "Example 14",
        "status": "SUBMITTED",
        "partial": false,
        "has_failures": false,
        "creation_type": "MANUAL",
        "workflow_info": "01996a52-0000-7000-8000-000000000101",
        "workflow_name": "Example 14",
        "workflow_version_info": "01996a52-0000-7000-8000-000000000102",
        "space_info": "01996a52-0000-7000-8000-000000000004",
        "space_name": "Playground",
        "parallelism": 1,
        "priority": 0,
        "pinned": false,
        "paused": false,
        "stalled": false,
        "author": "01996a52-0000-7000-8000-000000000002",
        "last_change": 18,
        "created_date": "2026-01-15T09:00:00.000Z",
        "finished": false,
        "run_insights": {
          "total": 1,
          "pending": 1,
          "running": 0,
          "succeeded": 0,
          "failed": 0,
          "stopping": 0,
          "stopped": 0,
          "skipped": 0
        },
        "execution_units": 1
      }
    }
  },
  "runs.runs.retry": {
    "params": {
      "id": "1005"
    },
    "request": {
      "type": "application/json",
      "value": {
        "nodes": [
          "scan-1"
        ]
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1005",
        "name": "Example 11",
        "status": "RUNNING",
        "partial": false,
        "has_failures": false,
        "creation_type": "MANUAL",
        "workflow_info": "01996a52-0000-7000-8000-000000000095",
        "workflow_name": "Example 11",
        "workflow_version_info": "01996a52-0000-7000-8000-000000000096",
        "space_info": "01996a52-0000-7000-8000-000000000004",
        "space_name": "Playground",
        "parallelism": 6,
        "priority": 0,
        "pinned": false,
        "paused": false,
        "stalled": false,
        "author": "01996a52-0000-7000-8000-000000000002",
        "last_change": 18,
        "created_date": "2026-01-15T09:00:00.000Z",
        "started_date": "2026-01-15T09:00:00.000Z",
        "finished": false,
        "duration_ms": 1200,
        "run_insights": {
          "total": 7,
          "pending": 6,
          "running": 0,
          "succeeded": 1,
          "failed": 0,
          "stopping": 0,
          "stopped": 0,
          "skipped": 0
        },
        "execution_units": 1
      }
    }
  },
  "runs.runs.stop": {
    "params": {
      "id": "1008"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1008",
        "name": "Example 12",
        "status": "STOPPED",
        "partial": false,
        "has_failures": false,
        "creation_type": "MANUAL",
        "workflow_info": "01996a52-0000-7000-8000-000000000097",
        "workflow_name": "Example 12",
        "workflow_version_info": "01996a52-0000-7000-8000-000000000098",
        "space_info": "01996a52-0000-7000-8000-000000000004",
        "space_name": "Playground",
        "parallelism": 1,
        "priority": 0,
        "pinned": false,
        "paused": false,
        "stalled": false,
        "author": "01996a52-0000-7000-8000-000000000002",
        "last_change": 18,
        "created_date": "2026-01-15T09:00:00.000Z",
        "started_date": "2026-01-15T09:00:00.000Z",
        "completed_date": "2026-01-15T09:00:00.000Z",
        "finished": true,
        "duration_ms": 1200,
        "run_insights": {
          "total": 1,
          "pending": 0,
          "running": 0,
          "succeeded": 0,
          "failed": 0,
          "stopping": 0,
          "stopped": 1,
          "skipped": 0
        },
        "execution_units": 1
      }
    }
  },
  "runs.runs.update": {
    "params": {
      "id": "1001"
    },
    "request": {
      "type": "application/json",
      "value": {
        "name": "renamed"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1001",
        "name": "renamed",
        "status": "COMPLETED",
        "partial": false,
        "has_failures": false,
        "creation_type": "MANUAL",
        "workflow_info": "01996a52-0000-7000-8000-000000000030",
        "workflow_name": "Example 5",
        "workflow_version_info": "01996a52-0000-7000-8000-000000000031",
        "space_info": "01996a52-0000-7000-8000-000000000004",
        "space_name": "Playground",
        "parallelism": 1,
        "priority": 0,
        "pinned": false,
        "paused": false,
        "stalled": false,
        "author": "01996a52-0000-7000-8000-000000000002",
        "last_change": 18,
        "created_date": "2026-01-15T09:00:00.000Z",
        "started_date": "2026-01-15T09:00:00.000Z",
        "completed_date": "2026-01-15T09:00:00.000Z",
        "finished": true,
        "duration_ms": 1200,
        "run_insights": {
          "total": 1,
          "pending": 0,
          "running": 0,
          "succeeded": 1,
          "failed": 0,
          "stopping": 0,
          "stopped": 0,
          "skipped": 0
        },
        "execution_units": 1
      }
    }
  },
  "runs.sandboxes.deleteFiles": {
    "query": {
      "sessionId": "01996a52-0000-7000-8000-000000000039",
      "path": "notes.txt"
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true,
        "deleted": 1
      }
    }
  },
  "runs.sandboxes.exec": {
    "request": {
      "type": "application/json",
      "value": {
        "sessionId": "01996a52-0000-7000-8000-000000000039",
        "command": "wc -l notes.txt",
        "timeout_seconds": 10
      }
    },
    "response": {
      "type": "text/event-stream",
      "value": "event: stdout\ndata: {\"text\":\"2 notes.txt\\n\"}\n\nevent: exit\ndata: {\"code\":0,\"truncated\":false,\"timed_out\":false,\"saved\":true,\"duration_ms\":1200}\n\n"
    }
  },
  "runs.sandboxes.listFiles": {
    "query": {
      "sessionId": "01996a52-0000-7000-8000-000000000039",
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "path": "notes.txt",
            "type": "file",
            "size": 8,
            "executable": false,
            "modifiedAt": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 1,
        "next": null,
        "previous": null
      }
    }
  },
  "runs.sandboxes.readFile": {
    "query": {
      "sessionId": "01996a52-0000-7000-8000-000000000039",
      "path": "notes.txt"
    },
    "response": {
      "type": "application/octet-stream",
      "value": "one\ntwo\n"
    }
  },
  "runs.sandboxes.start": {
    "request": {
      "type": "application/json",
      "value": {
        "vaultId": "01996a52-0000-7000-8000-000000000003",
        "agentSessionId": "example"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true,
        "status": "running",
        "sessionId": "01996a52-0000-7000-8000-000000000039",
        "agentSessionId": "example",
        "startedAt": "2026-01-15T09:00:00.000Z",
        "lastActiveAt": "2026-01-15T09:00:00.000Z",
        "expiresAt": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "runs.sandboxes.status": {
    "query": {
      "vaultId": "01996a52-0000-7000-8000-000000000003"
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true,
        "status": "none"
      }
    }
  },
  "runs.sandboxes.stop": {
    "query": {
      "sessionId": "01996a52-0000-7000-8000-000000000039"
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "runs.sandboxes.writeFile": {
    "query": {
      "sessionId": "01996a52-0000-7000-8000-000000000105",
      "path": "notes.txt"
    },
    "request": {
      "type": "application/octet-stream",
      "value": "one\ntwo\n"
    },
    "response": {
      "type": "application/json",
      "value": {
        "path": "notes.txt",
        "type": "file",
        "size": 8,
        "executable": false,
        "modifiedAt": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "runs.subjobs.children": {
    "params": {
      "id": "1002",
      "subjobId": "1003"
    },
    "query": {
      "status": "FAILED",
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "1004",
            "run": "1002",
            "node": "scan-1",
            "label": "scan",
            "status": "FAILED",
            "message": "exit code 4: no route to host",
            "task_group": "1003",
            "task_index": 1,
            "attempt": 1,
            "max_attempts": 1,
            "exit_code": 4,
            "params": {
              "item/hosts-1": "1"
            },
            "outputs_status": "NONE",
            "worker": "worker-1",
            "cached": false,
            "started_at": "2026-01-15T09:00:00.000Z",
            "finished_at": "2026-01-15T09:00:00.000Z",
            "duration_ms": 1200,
            "max_rss_bytes": 8388608,
            "cpu_ms": 40,
            "execution_units": 1
          },
          {
            "id": "1005",
            "run": "1002",
            "node": "scan-1",
            "label": "scan",
            "status": "FAILED",
            "message": "exit code 4: no route to host",
            "task_group": "1003",
            "task_index": 3,
            "attempt": 1,
            "max_attempts": 1,
            "exit_code": 4,
            "params": {
              "item/hosts-1": "3"
            },
            "outputs_status": "NONE",
            "worker": "worker-1",
            "cached": false,
            "started_at": "2026-01-15T09:00:00.000Z",
            "finished_at": "2026-01-15T09:00:00.000Z",
            "duration_ms": 1200,
            "max_rss_bytes": 8388608,
            "cpu_ms": 40,
            "execution_units": 1
          }
        ],
        "count": 3,
        "cursor": "example-cursor",
        "next": "https://millrace.example.org/api/runs/2/subjobs/3/children?status=FAILED&page_size=2&page=2&cursor=example",
        "previous": null
      }
    }
  },
  "runs.subjobs.distribution": {
    "params": {
      "id": "1002",
      "subjobId": "1003"
    },
    "response": {
      "type": "application/json",
      "value": {
        "splits": 6
      }
    }
  },
  "runs.subjobs.get": {
    "params": {
      "id": "1001",
      "subjobId": "1001"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1001",
        "run": "1001",
        "node": "only-1",
        "label": "only",
        "status": "SUCCEEDED",
        "attempt": 1,
        "max_attempts": 1,
        "exit_code": 0,
        "params": {},
        "outputs_status": "SAVED",
        "worker": "worker-1",
        "cached": false,
        "started_at": "2026-01-15T09:00:00.000Z",
        "finished_at": "2026-01-15T09:00:00.000Z",
        "duration_ms": 1200,
        "max_rss_bytes": 8388608,
        "cpu_ms": 40,
        "execution_units": 1,
        "attempts": [
          {
            "attempt": 1,
            "status": "SUCCEEDED",
            "exit_code": 0,
            "worker": "worker-1",
            "started_at": "2026-01-15T09:00:00.000Z",
            "finished_at": "2026-01-15T09:00:00.000Z",
            "duration_ms": 1200,
            "max_rss_bytes": 8388608,
            "cpu_ms": 40
          }
        ]
      }
    }
  },
  "runs.subjobs.list": {
    "params": {
      "id": "1002"
    },
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "1002",
            "run": "1002",
            "node": "hosts-1",
            "label": "hosts",
            "status": "SUCCEEDED",
            "attempt": 1,
            "max_attempts": 1,
            "exit_code": 0,
            "params": {},
            "outputs_status": "SAVED",
            "worker": "worker-1",
            "cached": false,
            "started_at": "2026-01-15T09:00:00.000Z",
            "finished_at": "2026-01-15T09:00:00.000Z",
            "duration_ms": 1200,
            "max_rss_bytes": 8388608,
            "cpu_ms": 40,
            "execution_units": 1
          },
          {
            "id": "1003",
            "run": "1002",
            "node": "scan-1",
            "label": "scan",
            "status": "FAILED",
            "message": "3 of 6 failed: exit code 4: no route to host (3)",
            "task_count": 6,
            "attempt": 1,
            "max_attempts": 1,
            "params": {},
            "outputs_status": "NONE",
            "worker": "worker-1",
            "cached": false,
            "started_at": "2026-01-15T09:00:00.000Z",
            "finished_at": "2026-01-15T09:00:00.000Z",
            "duration_ms": 1200,
            "execution_units": 1
          }
        ],
        "count": 2,
        "cursor": null,
        "next": null,
        "previous": null
      }
    }
  },
  "runs.subjobs.logTimes": {
    "params": {
      "id": "1001",
      "subjobId": "1001"
    },
    "response": {
      "type": "application/json",
      "value": {
        "state": "stored",
        "attempt": 1,
        "started_at": "2026-01-15T09:00:00.000Z",
        "samples": [
          {
            "offset": 5,
            "elapsed_ms": 13
          }
        ],
        "size": 5
      }
    }
  },
  "runs.subjobs.logs": {
    "params": {
      "id": "1001",
      "subjobId": "1001"
    },
    "response": {
      "type": "text/plain",
      "value": "mine\n"
    }
  },
  "runs.subjobs.retry": {
    "params": {
      "id": "1006",
      "subjobId": "1009"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1009",
        "run": "1006",
        "node": "scan-1",
        "label": "scan",
        "status": "PENDING",
        "task_group": "1010",
        "task_index": 1,
        "attempt": 2,
        "max_attempts": 2,
        "params": {},
        "outputs_status": "PENDING",
        "cached": false,
        "execution_units": 1
      }
    }
  },
  "runs.subjobs.skip": {
    "params": {
      "id": "1011",
      "subjobId": "1012"
    },
    "request": {
      "type": "application/json",
      "value": {
        "comment": "Host is gone"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1012",
        "run": "1011",
        "node": "scan-1",
        "label": "scan",
        "status": "SKIPPED",
        "message": "skipped by a user: Host is gone",
        "task_group": "1013",
        "task_index": 1,
        "attempt": 2,
        "max_attempts": 2,
        "params": {},
        "outputs_status": "NONE",
        "cached": false,
        "finished_at": "2026-01-15T09:00:00.000Z",
        "execution_units": 1
      }
    }
  },
  "runs.subjobs.statuses": {
    "params": {
      "id": "1002",
      "subjobId": "1003"
    },
    "response": {
      "type": "application/json",
      "value": {
        "seq": 18,
        "at": "2026-01-15T09:00:00.000Z",
        "count": 6,
        "from": 1,
        "statuses": "FSFSFS",
        "durations": "T8T8T8T8T8T8",
        "next": null
      }
    }
  },
  "runs.subjobs.stop": {
    "params": {
      "id": "1014",
      "subjobId": "1015"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1015",
        "run": "1014",
        "node": "ok-1",
        "label": "ok",
        "status": "STOPPED",
        "attempt": 1,
        "max_attempts": 1,
        "params": {},
        "outputs_status": "NONE",
        "cached": false,
        "finished_at": "2026-01-15T09:00:00.000Z",
        "execution_units": 1,
        "approval": {
          "state": "withdrawn",
          "message": "Publish the report?",
          "role": "execute",
          "requested_at": "2026-01-15T09:00:00.000Z"
        }
      }
    }
  },
  "runs.workers.cordon": {
    "params": {
      "id": "w-24c0914bdc2c6e7f"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "w-24c0914bdc2c6e7f",
        "host": "gpu-1.example.org",
        "fleet": "gpu",
        "labels": {
          "gpu": "true"
        },
        "sizes": [
          "small",
          "medium",
          "large"
        ],
        "slots": 8,
        "busy": 0,
        "memory": {
          "large": 3,
          "small": 1,
          "medium": 2
        },
        "version": "0.1.0",
        "isolated": true,
        "programs": [
          "bash"
        ],
        "state": "lost",
        "started_date": "2026-01-15T09:00:00.000Z",
        "last_seen": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "runs.workers.drain": {
    "params": {
      "id": "w-24c0914bdc2c6e7f"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "w-24c0914bdc2c6e7f",
        "host": "gpu-1.example.org",
        "fleet": "gpu",
        "labels": {
          "gpu": "true"
        },
        "sizes": [
          "small",
          "medium",
          "large"
        ],
        "slots": 8,
        "busy": 0,
        "memory": {
          "large": 3,
          "small": 1,
          "medium": 2
        },
        "version": "0.1.0",
        "isolated": true,
        "programs": [
          "bash"
        ],
        "state": "lost",
        "started_date": "2026-01-15T09:00:00.000Z",
        "last_seen": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "runs.workers.get": {
    "params": {
      "id": "w-24c0914bdc2c6e7f"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "w-24c0914bdc2c6e7f",
        "host": "gpu-1.example.org",
        "fleet": "gpu",
        "labels": {
          "gpu": "true"
        },
        "sizes": [
          "small",
          "medium",
          "large"
        ],
        "slots": 8,
        "busy": 0,
        "memory": {
          "large": 3,
          "small": 1,
          "medium": 2
        },
        "version": "0.1.0",
        "isolated": true,
        "programs": [
          "bash"
        ],
        "state": "active",
        "started_date": "2026-01-15T09:00:00.000Z",
        "last_seen": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "runs.workers.list": {
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "w-d551a2f15cc21195",
            "host": "vm",
            "fleet": "default",
            "labels": {},
            "sizes": [
              "small",
              "medium",
              "large"
            ],
            "slots": 6,
            "busy": 0,
            "memory": {
              "large": 8589934592,
              "small": 2147483648,
              "medium": 4294967296
            },
            "version": "0.1.0",
            "isolated": true,
            "programs": [
              "bash",
              "python3",
              "node"
            ],
            "state": "active",
            "started_date": "2026-01-15T09:00:00.000Z",
            "last_seen": "2026-01-15T09:00:00.000Z"
          },
          {
            "id": "w-24c0914bdc2c6e7f",
            "host": "gpu-1.example.org",
            "fleet": "gpu",
            "labels": {
              "gpu": "true"
            },
            "sizes": [
              "small",
              "medium",
              "large"
            ],
            "slots": 8,
            "busy": 0,
            "memory": {
              "large": 3,
              "small": 1,
              "medium": 2
            },
            "version": "0.1.0",
            "isolated": true,
            "programs": [
              "bash"
            ],
            "state": "active",
            "started_date": "2026-01-15T09:00:00.000Z",
            "last_seen": "2026-01-15T09:00:00.000Z"
          }
        ]
      }
    }
  },
  "runs.workers.uncordon": {
    "params": {
      "id": "w-24c0914bdc2c6e7f"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "w-24c0914bdc2c6e7f",
        "host": "gpu-1.example.org",
        "fleet": "gpu",
        "labels": {
          "gpu": "true"
        },
        "sizes": [
          "small",
          "medium",
          "large"
        ],
        "slots": 8,
        "busy": 0,
        "memory": {
          "large": 3,
          "small": 1,
          "medium": 2
        },
        "version": "0.1.0",
        "isolated": true,
        "programs": [
          "bash"
        ],
        "state": "lost",
        "started_date": "2026-01-15T09:00:00.000Z",
        "last_seen": "2026-01-15T09:00:00.000Z"
      }
    }
  }
};
