import type { OperationExamples } from './operation-example.js';

/** Recorded by `npm run docs:examples`; do not edit. */
export const NOTIFICATIONS_EXAMPLES: OperationExamples = {
  "notifications.config.get": {
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000002",
        "user_info": "01996a52-0000-7000-8000-000000000002",
        "modified_date": "2026-01-15T09:00:00.000Z",
        "config": {
          "MANUAL_RUN_COMPLETED": {
            "email": false,
            "in_app": true
          },
          "SCHEDULED_RUN_COMPLETED": {
            "email": false,
            "in_app": true
          },
          "RUN_FAILED": {
            "email": true,
            "in_app": true
          },
          "WORKFLOW_RELEASED": {
            "email": false,
            "in_app": true
          },
          "TOOL_RELEASED": {
            "email": false,
            "in_app": true
          },
          "SCRIPT_RELEASED": {
            "email": false,
            "in_app": true
          }
        }
      }
    }
  },
  "notifications.config.resumeMail": {
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000002",
        "user_info": "01996a52-0000-7000-8000-000000000002",
        "modified_date": "2026-01-15T09:00:00.000Z",
        "config": {
          "MANUAL_RUN_COMPLETED": {
            "email": false,
            "in_app": true
          },
          "SCHEDULED_RUN_COMPLETED": {
            "email": false,
            "in_app": true
          },
          "RUN_FAILED": {
            "email": true,
            "in_app": true
          },
          "WORKFLOW_RELEASED": {
            "email": false,
            "in_app": true
          },
          "TOOL_RELEASED": {
            "email": false,
            "in_app": true
          },
          "SCRIPT_RELEASED": {
            "email": false,
            "in_app": true
          }
        }
      }
    }
  },
  "notifications.config.update": {
    "request": {
      "type": "application/json",
      "value": {
        "config": "{\"RUN_FAILED\": {\"email\": false}}"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000002",
        "user_info": "01996a52-0000-7000-8000-000000000002",
        "modified_date": "2026-01-15T09:00:00.000Z",
        "config": {
          "MANUAL_RUN_COMPLETED": {
            "email": false,
            "in_app": true
          },
          "SCHEDULED_RUN_COMPLETED": {
            "email": false,
            "in_app": true
          },
          "RUN_FAILED": {
            "email": false,
            "in_app": true
          },
          "WORKFLOW_RELEASED": {
            "email": false,
            "in_app": true
          },
          "TOOL_RELEASED": {
            "email": false,
            "in_app": true
          },
          "SCRIPT_RELEASED": {
            "email": false,
            "in_app": true
          }
        }
      }
    }
  },
  "notifications.deliveries.get": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000046",
      "deliveryId": "01996a52-0000-7000-8000-000000000047"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000047",
        "webhook": "01996a52-0000-7000-8000-000000000046",
        "event": "webhook.test",
        "status": "pending",
        "attempt_count": 1,
        "error": "the host is not known",
        "created_date": "2026-01-15T09:00:00.000Z",
        "last_attempt_date": "2026-01-15T09:00:00.000Z",
        "next_attempt_date": "2026-01-15T09:00:00.000Z",
        "body": "{\"type\":\"webhook.test\",\"timestamp\":\"2026-01-15T09:00:00.000Z\",\"data\":{\"webhook\":\"01996a52-0000-7000-8000-000000000046\",\"name\":\"Mine\"}}",
        "attempts": [
          {
            "number": 1,
            "created_date": "2026-01-15T09:00:00.000Z",
            "duration_ms": 1200,
            "request": {
              "headers": {
                "user-agent": "millrace-webhooks",
                "webhook-id": "01996a52-0000-7000-8000-000000000047",
                "content-type": "application/json",
                "webhook-signature": "v1,example-signature",
                "webhook-timestamp": "1768467600"
              }
            },
            "error": "the host is not known"
          }
        ]
      }
    }
  },
  "notifications.deliveries.list": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000046"
    },
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000047",
            "webhook": "01996a52-0000-7000-8000-000000000046",
            "event": "webhook.test",
            "status": "pending",
            "attempt_count": 1,
            "error": "the host is not known",
            "created_date": "2026-01-15T09:00:00.000Z",
            "last_attempt_date": "2026-01-15T09:00:00.000Z",
            "next_attempt_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 1,
        "next": null,
        "previous": null
      }
    }
  },
  "notifications.deliveries.redeliver": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000046",
      "deliveryId": "01996a52-0000-7000-8000-000000000047"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000047",
        "webhook": "01996a52-0000-7000-8000-000000000046",
        "event": "webhook.test",
        "status": "pending",
        "attempt_count": 1,
        "error": "the host is not known",
        "created_date": "2026-01-15T09:00:00.000Z",
        "last_attempt_date": "2026-01-15T09:00:00.000Z",
        "next_attempt_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "notifications.follows.get": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    },
    "response": {
      "type": "application/json",
      "value": {
        "workflow": "01996a52-0000-7000-8000-000000000026",
        "following": false
      }
    }
  },
  "notifications.follows.set": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    },
    "response": {
      "type": "application/json",
      "value": {
        "workflow": "01996a52-0000-7000-8000-000000000026",
        "following": true
      }
    }
  },
  "notifications.follows.unset": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    },
    "response": {
      "type": "application/json",
      "value": {
        "workflow": "01996a52-0000-7000-8000-000000000026",
        "following": false
      }
    }
  },
  "notifications.notifications.clear": {
    "response": {
      "type": "application/json",
      "value": {
        "success": true,
        "deleted": 25
      }
    }
  },
  "notifications.notifications.delete": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000122"
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "notifications.notifications.list": {
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000044",
            "notification_type": "MANUAL_RUN_COMPLETED",
            "type": "MANUAL_RUN_COMPLETED",
            "title": "Example 4 completed",
            "message": "Run \"Example 4\" of Example 4 completed in 1.2 s",
            "seen": false,
            "is_read": false,
            "user_id": "01996a52-0000-7000-8000-000000000002",
            "metadata": {
              "run": "1002",
              "space": "01996a52-0000-7000-8000-000000000004",
              "status": "COMPLETED",
              "workflow": "01996a52-0000-7000-8000-000000000028",
              "duration_ms": 1200,
              "finished_at": "2026-01-15T09:00:00.000Z",
              "creation_type": "MANUAL"
            },
            "created_date": "2026-01-15T09:00:00.000Z"
          },
          {
            "id": "01996a52-0000-7000-8000-000000000045",
            "notification_type": "MANUAL_RUN_COMPLETED",
            "type": "MANUAL_RUN_COMPLETED",
            "title": "Example 5 completed",
            "message": "Run \"Example 5\" of Example 5 completed in 1.2 s",
            "seen": false,
            "is_read": false,
            "user_id": "01996a52-0000-7000-8000-000000000002",
            "metadata": {
              "run": "1001",
              "space": "01996a52-0000-7000-8000-000000000004",
              "status": "COMPLETED",
              "workflow": "01996a52-0000-7000-8000-000000000030",
              "duration_ms": 1200,
              "finished_at": "2026-01-15T09:00:00.000Z",
              "creation_type": "MANUAL"
            },
            "created_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 2,
        "unseen_count": 2,
        "next": null,
        "previous": null
      }
    }
  },
  "notifications.notifications.mark": {
    "request": {
      "type": "application/json",
      "value": {
        "notification_type": "MANUAL_RUN_COMPLETED"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true,
        "updated": 0
      }
    }
  },
  "notifications.notifications.stream": {
    "query": {
      "after": "0"
    },
    "response": {
      "type": "text/event-stream",
      "value": "id: 1\nevent: notification\ndata: {\"id\":\"01996a52-0000-7000-8000-000000000045\",\"notification_type\":\"MANUAL_RUN_COMPLETED\",\"type\":\"MANUAL_RUN_COMPLETED\",\"title\":\"Example 5 completed\",\"message\":\"Run \\\"Example 5\\\" of Example 5 completed in 1.2 s\",\"seen\":false,\"is_read\":false,\"user_id\":\"01996a52-0000-7000-8000-000000000002\",\"metadata\":{\"run\":\"1001\",\"space\":\"01996a52-0000-7000-8000-000000000004\",\"status\":\"COMPLETED\",\"workflow\":\"01996a52-0000-7000-8000-000000000030\",\"duration_ms\":1200,\"finished_at\":\"2026-01-15T09:00:00.000Z\",\"creation_type\":\"MANUAL\"},\"created_date\":\"2026-01-15T09:00:00.000Z\"}\n\nid: 2\nevent: notification\ndata: {\"id\":\"01996a52-0000-7000-8000-000000000044\",\"notification_type\":\"MANUAL_RUN_COMPLETED\",\"type\":\"MANUAL_RUN_COMPLETED\",\"title\":\"Example 4 completed\",\"message\":\"Run \\\"Example 4\\\" of Example 4 completed in 1.2 s\",\"seen\":false,\"is_read\":false,\"user_id\":\"01996a52-0000-7000-8000-000000000002\",\"metadata\":{\"run\":\"1002\",\"space\":\"01996a52-0000-7000-8000-000000000004\",\"status\":\"COMPLETED\",\"workflow\":\"01996a52-0000-7000-8000-000000000028\",\"duration_ms\":1200,\"finished_at\":\"2026-01-15T09:00:00.000Z\",\"creation_type\":\"MANUAL\"},\"created_date\":\"2026-01-15T09:00:00.000Z\"}\n\nid: 2\nevent: count\ndata: {\"unseen_count\":2}\n\n"
    }
  },
  "notifications.notifications.update": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000123"
    },
    "request": {
      "type": "application/json",
      "value": {
        "seen": true
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000123",
        "notification_type": "SCRIPT_RELEASED",
        "type": "SCRIPT_RELEASED",
        "title": "New script: mine",
        "message": "The script \"mine\" is new in the library.",
        "seen": true,
        "is_read": true,
        "user_id": "01996a52-0000-7000-8000-000000000002",
        "metadata": {
          "author": "01996a52-0000-7000-8000-000000000009",
          "module": "01996a52-0000-7000-8000-000000000124",
          "module_type": "SCRIPT",
          "version_number": 1
        },
        "created_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "notifications.tableFollows.get": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000041"
    },
    "response": {
      "type": "application/json",
      "value": {
        "dataset": "01996a52-0000-7000-8000-000000000041",
        "following": false,
        "email": false,
        "in_app": false
      }
    }
  },
  "notifications.tableFollows.set": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000041"
    },
    "request": {
      "type": "application/json",
      "value": {
        "email": false
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "dataset": "01996a52-0000-7000-8000-000000000041",
        "following": true,
        "email": false,
        "in_app": true
      }
    }
  },
  "notifications.tableFollows.unset": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000041"
    },
    "response": {
      "type": "application/json",
      "value": {
        "dataset": "01996a52-0000-7000-8000-000000000041",
        "following": false,
        "email": false,
        "in_app": false
      }
    }
  },
  "notifications.viewFollows.get": {
    "params": {
      "solutionId": "01996a52-0000-7000-8000-000000000040",
      "viewId": "01996a52-0000-7000-8000-000000000042"
    },
    "response": {
      "type": "application/json",
      "value": {
        "dataset": "01996a52-0000-7000-8000-000000000041",
        "view": "01996a52-0000-7000-8000-000000000042",
        "following": false,
        "email": false,
        "in_app": false
      }
    }
  },
  "notifications.viewFollows.set": {
    "params": {
      "solutionId": "01996a52-0000-7000-8000-000000000040",
      "viewId": "01996a52-0000-7000-8000-000000000042"
    },
    "request": {
      "type": "application/json",
      "value": {
        "email": false
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "dataset": "01996a52-0000-7000-8000-000000000041",
        "view": "01996a52-0000-7000-8000-000000000042",
        "following": true,
        "email": false,
        "in_app": true
      }
    }
  },
  "notifications.viewFollows.unset": {
    "params": {
      "solutionId": "01996a52-0000-7000-8000-000000000040",
      "viewId": "01996a52-0000-7000-8000-000000000042"
    },
    "response": {
      "type": "application/json",
      "value": {
        "dataset": "01996a52-0000-7000-8000-000000000041",
        "view": "01996a52-0000-7000-8000-000000000042",
        "following": false,
        "email": false,
        "in_app": false
      }
    }
  },
  "notifications.webhooks.create": {
    "request": {
      "type": "application/json",
      "value": {
        "name": "Mine",
        "url": "https://webhooks.invalid/",
        "events": [
          "workflow.released"
        ]
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000125",
        "name": "Mine",
        "kind": "standard",
        "url": "https://webhooks.invalid/",
        "events": [
          "workflow.released"
        ],
        "enabled": true,
        "author": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z",
        "secret": "example-secret-2"
      }
    }
  },
  "notifications.webhooks.delete": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000126"
    }
  },
  "notifications.webhooks.get": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000046"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000046",
        "name": "Mine",
        "kind": "standard",
        "url": "https://webhooks.invalid/",
        "events": [
          "workflow.released"
        ],
        "enabled": true,
        "failing_since": "2026-01-15T09:00:00.000Z",
        "author": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "notifications.webhooks.list": {
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000046",
            "name": "Mine",
            "kind": "standard",
            "url": "https://webhooks.invalid/",
            "events": [
              "workflow.released"
            ],
            "enabled": true,
            "failing_since": "2026-01-15T09:00:00.000Z",
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
  "notifications.webhooks.rotateSecret": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000046"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000046",
        "name": "Mine",
        "kind": "standard",
        "url": "https://webhooks.invalid/",
        "events": [
          "workflow.released"
        ],
        "enabled": true,
        "failing_since": "2026-01-15T09:00:00.000Z",
        "author": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z",
        "secret": "example-secret-3"
      }
    }
  },
  "notifications.webhooks.test": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000046"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000127",
        "webhook": "01996a52-0000-7000-8000-000000000046",
        "event": "webhook.test",
        "status": "pending",
        "attempt_count": 0,
        "created_date": "2026-01-15T09:00:00.000Z",
        "next_attempt_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "notifications.webhooks.update": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000046"
    },
    "request": {
      "type": "application/json",
      "value": {
        "name": "Changed"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000046",
        "name": "Changed",
        "kind": "standard",
        "url": "https://webhooks.invalid/",
        "events": [
          "workflow.released"
        ],
        "enabled": true,
        "failing_since": "2026-01-15T09:00:00.000Z",
        "author": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  }
};
