import type { OperationExamples } from './operation-example.js';

/** Recorded by `npm run docs:examples`; do not edit. */
export const AUTH_EXAMPLES: OperationExamples = {
  "auth.adminAudit.list": {
    "query": {
      "action": "log_level.changed",
      "actor": "01996a52-0000-7000-8000-000000000006",
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000008",
            "actor": {
              "id": "01996a52-0000-7000-8000-000000000006",
              "email": "user2@example.org"
            },
            "target_type": "service",
            "target_id": "billing",
            "address": "192.0.2.10",
            "agent": "Mozilla/5.0",
            "created_date": "2026-01-15T09:00:00.000Z",
            "action": "log_level.changed",
            "credential": "session",
            "details": {
              "level": "trace",
              "minutes": 1
            }
          }
        ],
        "count": 1,
        "next": null,
        "previous": null
      }
    }
  },
  "auth.adminTasks.cancel": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000058"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000058",
        "kind": "check",
        "state": "done",
        "violations": 0,
        "parts": [
          {
            "service": "billing",
            "state": "done",
            "done": 4,
            "total": 4,
            "findings": [
              {
                "name": "The balance of a vault in this month is the sum of its ledger entries",
                "status": "ok"
              },
              {
                "name": "The plan of a customer exists",
                "status": "ok"
              },
              {
                "name": "Events and jobs leave the outbox within 10 minutes",
                "status": "ok"
              }
            ]
          }
        ],
        "created_date": "2026-01-15T09:00:00.000Z",
        "finished_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.adminTasks.check": {
    "request": {
      "type": "application/json",
      "value": {
        "services": [
          "billing"
        ]
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000059",
        "kind": "check",
        "state": "running",
        "violations": 0,
        "parts": [
          {
            "service": "billing",
            "state": "waiting",
            "done": 0,
            "total": 0,
            "findings": []
          }
        ],
        "created_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.adminTasks.get": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000012"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000012",
        "kind": "check",
        "state": "done",
        "violations": 0,
        "parts": [
          {
            "service": "billing",
            "state": "done",
            "done": 4,
            "total": 4,
            "findings": [
              {
                "name": "The balance of a vault in this month is the sum of its ledger entries",
                "status": "ok"
              },
              {
                "name": "The plan of a customer exists",
                "status": "ok"
              },
              {
                "name": "Events and jobs leave the outbox within 10 minutes",
                "status": "ok"
              }
            ]
          }
        ],
        "created_date": "2026-01-15T09:00:00.000Z",
        "finished_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.adminTasks.list": {
    "query": {
      "kind": "check",
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000013",
            "kind": "check",
            "state": "done",
            "violations": 0,
            "parts": [
              {
                "service": "billing",
                "state": "done",
                "done": 4,
                "total": 4,
                "findings": [
                  {
                    "name": "The balance of a vault in this month is the sum of its ledger entries",
                    "status": "ok"
                  },
                  {
                    "name": "The plan of a customer exists",
                    "status": "ok"
                  },
                  {
                    "name": "Events and jobs leave the outbox within 10 minutes",
                    "status": "ok"
                  }
                ]
              }
            ],
            "created_date": "2026-01-15T09:00:00.000Z",
            "finished_date": "2026-01-15T09:00:00.000Z"
          },
          {
            "id": "01996a52-0000-7000-8000-000000000014",
            "kind": "check",
            "state": "done",
            "violations": 0,
            "parts": [
              {
                "service": "billing",
                "state": "done",
                "done": 4,
                "total": 4,
                "findings": [
                  {
                    "name": "The balance of a vault in this month is the sum of its ledger entries",
                    "status": "ok"
                  },
                  {
                    "name": "The plan of a customer exists",
                    "status": "ok"
                  },
                  {
                    "name": "Events and jobs leave the outbox within 10 minutes",
                    "status": "ok"
                  }
                ]
              }
            ],
            "created_date": "2026-01-15T09:00:00.000Z",
            "finished_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 4,
        "next": "https://millrace.example.org/api/admin/tasks?kind=check&page_size=2&page=2",
        "previous": null
      }
    }
  },
  "auth.adminTasks.reindex": {
    "request": {
      "type": "application/json",
      "value": {
        "services": [
          "billing"
        ],
        "indexes": [
          "billing.plan_pkey"
        ]
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000060",
        "kind": "reindex",
        "state": "running",
        "violations": 0,
        "parts": [
          {
            "service": "billing",
            "state": "waiting",
            "done": 0,
            "total": 0,
            "findings": []
          }
        ],
        "created_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.adminTokens.create": {
    "request": {
      "type": "application/json",
      "value": {
        "name": "nightly check"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000053",
        "name": "nightly check",
        "scope": "read",
        "prefix": "abc123",
        "created_date": "2026-01-15T09:00:00.000Z",
        "expires_date": "2026-01-15T09:00:00.000Z",
        "token": "example-token-3"
      }
    }
  },
  "auth.adminTokens.list": {
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000007",
            "name": "Example 1",
            "scope": "read",
            "prefix": "abc123",
            "created_date": "2026-01-15T09:00:00.000Z",
            "expires_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 1,
        "next": null,
        "previous": null
      }
    }
  },
  "auth.adminTokens.revoke": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000054"
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.adminUsers.get": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000009"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000009",
        "email": "user3@example.org",
        "name": "Guest",
        "vault": {
          "id": "01996a52-0000-7000-8000-000000000003",
          "name": "Ann Example's vault",
          "role": "member"
        },
        "state": "active",
        "is_google": false,
        "mfa_enabled": false,
        "has_api_token": false,
        "active_sessions": 1,
        "last_sign_in_date": "2026-01-15T09:00:00.000Z",
        "created_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.adminUsers.list": {
    "query": {
      "search": "user1@example.org",
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000002",
            "email": "user1@example.org",
            "name": "Ann Example",
            "vault": {
              "id": "01996a52-0000-7000-8000-000000000003",
              "name": "Ann Example's vault",
              "role": "owner"
            },
            "state": "active",
            "is_google": false,
            "mfa_enabled": false,
            "has_api_token": false,
            "active_sessions": 1,
            "last_sign_in_date": "2026-01-15T09:00:00.000Z",
            "created_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 1,
        "next": null,
        "previous": null
      }
    }
  },
  "auth.adminUsers.resetSignIn": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000009"
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true,
        "cleared": 0
      }
    }
  },
  "auth.adminUsers.resume": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000009"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000009",
        "email": "user3@example.org",
        "name": "Guest",
        "vault": {
          "id": "01996a52-0000-7000-8000-000000000003",
          "name": "Ann Example's vault",
          "role": "member"
        },
        "state": "active",
        "is_google": false,
        "mfa_enabled": false,
        "has_api_token": false,
        "active_sessions": 1,
        "last_sign_in_date": "2026-01-15T09:00:00.000Z",
        "created_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.adminUsers.suspend": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000055"
    },
    "request": {
      "type": "application/json",
      "value": {
        "reason": "Reported as abuse"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000055",
        "email": "user10@example.org",
        "name": "Ann Example",
        "vault": {
          "id": "01996a52-0000-7000-8000-000000000056",
          "name": "Ann Example's vault",
          "role": "owner"
        },
        "state": "suspended",
        "is_google": false,
        "mfa_enabled": false,
        "has_api_token": false,
        "active_sessions": 0,
        "last_sign_in_date": "2026-01-15T09:00:00.000Z",
        "suspended_date": "2026-01-15T09:00:00.000Z",
        "suspended_reason": "Reported as abuse",
        "created_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.adminVaults.get": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000003"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000003",
        "name": "Ann Example's vault",
        "plan": "enterprise",
        "state": "active",
        "members": 2,
        "owners": [
          "user1@example.org"
        ],
        "limits": {
          "active_runs": null,
          "dispatches": null,
          "storage_bytes": null,
          "live_rows": null
        },
        "usage": {
          "active_runs": 0,
          "execution_units": 1,
          "live_rows": 1,
          "stored_bytes": 131
        },
        "created_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.adminVaults.list": {
    "query": {
      "state": "active",
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000010",
            "name": "Ann Example's vault",
            "plan": "enterprise",
            "state": "active",
            "members": 1,
            "owners": [
              "user4@example.org"
            ],
            "limits": {
              "active_runs": null,
              "dispatches": null,
              "storage_bytes": null,
              "live_rows": null
            },
            "usage": {
              "stored_bytes": 0,
              "execution_units": 1,
              "active_runs": 0,
              "live_rows": 0
            },
            "created_date": "2026-01-15T09:00:00.000Z"
          },
          {
            "id": "01996a52-0000-7000-8000-000000000011",
            "name": "Ann Example's vault",
            "plan": "enterprise",
            "state": "active",
            "members": 1,
            "owners": [
              "user5@example.org"
            ],
            "limits": {
              "active_runs": null,
              "dispatches": null,
              "storage_bytes": null,
              "live_rows": null
            },
            "usage": {
              "stored_bytes": 0,
              "execution_units": 1,
              "active_runs": 0,
              "live_rows": 0
            },
            "created_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 5,
        "next": "https://millrace.example.org/api/admin/vaults?state=active&page_size=2&page=2",
        "previous": null
      }
    }
  },
  "auth.adminVaults.resume": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000003"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000003",
        "name": "Ann Example's vault",
        "plan": "enterprise",
        "state": "active",
        "members": 9,
        "owners": [
          "user1@example.org"
        ],
        "limits": {
          "active_runs": null,
          "dispatches": null,
          "storage_bytes": null,
          "live_rows": null
        },
        "usage": {
          "active_runs": 0,
          "live_rows": 1,
          "execution_units": 1,
          "stored_bytes": 131
        },
        "created_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.adminVaults.setLimits": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000003"
    },
    "request": {
      "type": "application/json",
      "value": {
        "active_runs": null,
        "dispatches": null,
        "storage_bytes": null,
        "live_rows": null
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000003",
        "name": "Ann Example's vault",
        "plan": "enterprise",
        "state": "active",
        "members": 9,
        "owners": [
          "user1@example.org"
        ],
        "limits": {
          "active_runs": null,
          "dispatches": null,
          "storage_bytes": null,
          "live_rows": null
        },
        "usage": {
          "live_rows": 1,
          "stored_bytes": 131,
          "active_runs": 0,
          "execution_units": 1
        },
        "created_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.adminVaults.suspend": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000057"
    },
    "request": {
      "type": "application/json",
      "value": {
        "reason": "Unpaid since March"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000057",
        "name": "Ann Example's vault",
        "plan": "enterprise",
        "state": "suspended",
        "suspended_date": "2026-01-15T09:00:00.000Z",
        "stops_runs": false,
        "suspended_reason": "Unpaid since March",
        "members": 1,
        "owners": [
          "user11@example.org"
        ],
        "limits": {
          "active_runs": null,
          "dispatches": null,
          "storage_bytes": null,
          "live_rows": null
        },
        "usage": {
          "live_rows": 0,
          "stored_bytes": 0,
          "active_runs": 0,
          "execution_units": 1
        },
        "created_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.admins.grant": {
    "request": {
      "type": "application/json",
      "value": {
        "email": "user9@example.org"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000051",
        "email": "user9@example.org",
        "name": "Ann Example",
        "mfa_enabled": false,
        "granted_by": "user2@example.org",
        "granted_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.admins.list": {
    "query": {
      "search": "user2@example.org",
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000006",
            "email": "user2@example.org",
            "name": "Ann Example",
            "mfa_enabled": false,
            "granted_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 1,
        "next": null,
        "previous": null
      }
    }
  },
  "auth.admins.revoke": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000052"
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.audit.list": {
    "query": {
      "action": "team.created",
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000023",
            "actor": {
              "id": "01996a52-0000-7000-8000-000000000002",
              "email": "user1@example.org"
            },
            "target_type": "team",
            "target_id": "1001",
            "target_name": "Mine",
            "address": "192.0.2.10",
            "agent": "Mozilla/5.0",
            "created_date": "2026-01-15T09:00:00.000Z",
            "action": "team.created",
            "details": {}
          }
        ],
        "count": 1,
        "next": null,
        "previous": null
      }
    }
  },
  "auth.deadLetters.drop": {
    "request": {
      "type": "application/json",
      "value": {
        "name": "nothing.has.this.name"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "changed": 0,
        "remaining": 0
      }
    }
  },
  "auth.deadLetters.list": {
    "query": {
      "name": "datasets.exports.write",
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000015",
            "kind": "job",
            "service": "datasets",
            "name": "datasets.exports.write",
            "queue": "datasets-exports",
            "message": "01996a52-0000-7000-8000-000000000016",
            "error": "connect ECONNREFUSED s3.example.org:443",
            "attempts": 3,
            "payload": {
              "export": "999999999"
            },
            "failed_date": "2026-01-15T09:00:00.000Z",
            "retrying": false
          },
          {
            "id": "01996a52-0000-7000-8000-000000000017",
            "kind": "job",
            "service": "datasets",
            "name": "datasets.exports.write",
            "queue": "datasets-exports",
            "message": "01996a52-0000-7000-8000-000000000018",
            "error": "connect ECONNREFUSED s3.example.org:443",
            "attempts": 3,
            "payload": {
              "export": "999999999"
            },
            "failed_date": "2026-01-15T09:00:00.000Z",
            "retrying": false
          }
        ],
        "count": 3,
        "next": "https://millrace.example.org/api/admin/dead-letters?name=datasets.exports.write&page_size=2&page=2",
        "previous": null
      }
    }
  },
  "auth.deadLetters.retry": {
    "request": {
      "type": "application/json",
      "value": {
        "name": "nothing.has.this.name"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "changed": 0,
        "remaining": 0
      }
    }
  },
  "auth.devices.approve": {
    "request": {
      "type": "application/json",
      "value": {
        "user_code": "example-user-code-2"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true,
        "status": "approved"
      }
    }
  },
  "auth.devices.describe": {
    "query": {
      "user_code": "example-user-code-1"
    },
    "response": {
      "type": "application/json",
      "value": {
        "client_id": "svc-cli",
        "address": "192.0.2.10",
        "agent": "Mozilla/5.0",
        "created_date": "2026-01-15T09:00:00.000Z",
        "expires_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.devices.requestCode": {
    "request": {
      "type": "application/json",
      "value": {
        "client_id": "svc-cli"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "device_code": "example-device-code-2",
        "user_code": "example-user-code-3",
        "verification_uri": "https://millrace.example.org/device",
        "verification_uri_complete": "https://millrace.example.org/device?user_code=example-user-code-3",
        "expires_in": 600,
        "interval": 5
      }
    }
  },
  "auth.devices.token": {
    "request": {
      "type": "application/json",
      "value": {
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        "device_code": "example-device-code-1",
        "client_id": "svc-cli"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "access_token": "example-access-token-1",
        "refresh_token": "example-refresh-token-1",
        "token_type": "Bearer",
        "is_google": false
      }
    }
  },
  "auth.invitations.accept": {
    "request": {
      "type": "application/json",
      "value": {
        "token": "example-token-6",
        "name": "Ben Example",
        "password": "example-password-5"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "refresh": "example-refresh-7",
        "access": "example-access-5",
        "expiresAt": "2026-01-15T09:00:00.000Z",
        "user": {
          "id": "01996a52-0000-7000-8000-000000000064",
          "email": "user12@example.org",
          "name": "Ben Example",
          "vault": "01996a52-0000-7000-8000-000000000003",
          "vault_role": "member",
          "is_google": false,
          "mfa_enabled": false,
          "created_date": "2026-01-15T09:00:00.000Z"
        }
      }
    }
  },
  "auth.invitations.create": {
    "request": {
      "type": "application/json",
      "value": {
        "email": "user13@example.org"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000065",
        "email": "user13@example.org",
        "role": "member",
        "status": "pending",
        "invited_by": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z",
        "expires_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.invitations.describe": {
    "request": {
      "type": "application/json",
      "value": {
        "token": "example-token-7"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "email": "user14@example.org",
        "vault": "Ann Example's vault",
        "expires_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.invitations.list": {
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000021",
            "email": "user6@example.org",
            "role": "member",
            "status": "pending",
            "invited_by": "01996a52-0000-7000-8000-000000000002",
            "created_date": "2026-01-15T09:00:00.000Z",
            "expires_date": "2026-01-15T09:00:00.000Z"
          },
          {
            "id": "01996a52-0000-7000-8000-000000000022",
            "email": "user3@example.org",
            "role": "member",
            "status": "accepted",
            "invited_by": "01996a52-0000-7000-8000-000000000002",
            "created_date": "2026-01-15T09:00:00.000Z",
            "expires_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 2,
        "next": null,
        "previous": null
      }
    }
  },
  "auth.invitations.revoke": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000021"
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.joinTokens.create": {
    "request": {
      "type": "application/json",
      "value": {
        "name": "gpu machines",
        "fleet": "gpu",
        "labels": {
          "gpu": "true"
        }
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000061",
        "name": "gpu machines",
        "prefix": "abc123",
        "fleet": "gpu",
        "labels": {
          "gpu": "true"
        },
        "sizes": [
          "small",
          "medium",
          "large"
        ],
        "uses": 0,
        "max_uses": 1,
        "state": "active",
        "created_by": "user2@example.org",
        "created_date": "2026-01-15T09:00:00.000Z",
        "expires_date": "2026-01-15T09:00:00.000Z",
        "token": "example-token-4"
      }
    }
  },
  "auth.joinTokens.list": {
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000019",
            "name": "gpu machines",
            "prefix": "abc123",
            "fleet": "gpu",
            "labels": {
              "gpu": "true"
            },
            "sizes": [
              "small",
              "medium",
              "large"
            ],
            "uses": 0,
            "max_uses": 1,
            "state": "active",
            "created_by": "user2@example.org",
            "created_date": "2026-01-15T09:00:00.000Z",
            "expires_date": "2026-01-15T09:00:00.000Z"
          },
          {
            "id": "01996a52-0000-7000-8000-000000000020",
            "name": "gpu machines",
            "prefix": "abc123",
            "fleet": "gpu",
            "labels": {
              "gpu": "true"
            },
            "sizes": [
              "small",
              "medium",
              "large"
            ],
            "uses": 0,
            "max_uses": 1,
            "state": "active",
            "created_by": "user2@example.org",
            "created_date": "2026-01-15T09:00:00.000Z",
            "expires_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 3,
        "next": "https://millrace.example.org/api/admin/join-tokens?page_size=2&page=2",
        "previous": null
      }
    }
  },
  "auth.joinTokens.revoke": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000062"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000062",
        "name": "gpu machines",
        "prefix": "abc123",
        "fleet": "gpu",
        "labels": {
          "gpu": "true"
        },
        "sizes": [
          "small",
          "medium",
          "large"
        ],
        "uses": 0,
        "max_uses": 1,
        "state": "revoked",
        "created_by": "user2@example.org",
        "created_date": "2026-01-15T09:00:00.000Z",
        "expires_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.joinedWorkers.join": {
    "request": {
      "type": "application/json",
      "value": {
        "token": "example-token-5",
        "name": "gpu-1.example.org"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "j-0000000000000003",
        "worker_key": "example-worker-key-1",
        "fleet": "gpu",
        "labels": {},
        "sizes": [
          "small",
          "medium",
          "large"
        ],
        "redis_url": "rediss://redis.example.org:6379",
        "redis_user": "millrace-0123abcd-j-0000000000000003",
        "redis_password": "example-redis-password-1",
        "storage_url": "s3://objects?endpoint=https://s3.example.org"
      }
    }
  },
  "auth.joinedWorkers.list": {
    "query": {
      "search": "j-0000000000000001",
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "j-0000000000000001",
            "name": "gpu-1.example.org",
            "fleet": "gpu",
            "labels": {
              "gpu": "true"
            },
            "sizes": [
              "small",
              "medium",
              "large"
            ],
            "token_name": "gpu machines",
            "address": "192.0.2.10",
            "joined_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 1,
        "next": null,
        "previous": null
      }
    }
  },
  "auth.joinedWorkers.revoke": {
    "params": {
      "id": "j-0000000000000002"
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.keys.jwks": {
    "response": {
      "type": "application/json",
      "value": {
        "keys": [
          {
            "kty": "EC",
            "x": "example-x",
            "y": "example-y",
            "crv": "P-256",
            "kid": "example-key",
            "use": "sig",
            "alg": "ES256"
          }
        ]
      }
    }
  },
  "auth.logLevel.set": {
    "request": {
      "type": "application/json",
      "value": {
        "service": "billing",
        "level": "trace",
        "minutes": 1
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "service": "billing",
        "level": "trace",
        "until": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.members.leave": {},
  "auth.members.list": {
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000009",
            "email": "user3@example.org",
            "name": "Guest",
            "vault_role": "member",
            "effective_role": "member",
            "teams": [
              {
                "id": "1001",
                "name": "Mine"
              }
            ],
            "is_google": false,
            "mfa_enabled": false,
            "disabled": false,
            "created_date": "2026-01-15T09:00:00.000Z"
          },
          {
            "id": "01996a52-0000-7000-8000-000000000002",
            "email": "user1@example.org",
            "name": "Ann Example",
            "vault_role": "owner",
            "effective_role": "owner",
            "teams": [],
            "is_google": false,
            "mfa_enabled": false,
            "disabled": false,
            "created_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 2,
        "next": null,
        "previous": null
      }
    }
  },
  "auth.members.remove": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000063"
    }
  },
  "auth.members.update": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000009"
    },
    "request": {
      "type": "application/json",
      "value": {
        "disabled": false
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000009",
        "email": "user3@example.org",
        "name": "Guest",
        "vault_role": "member",
        "effective_role": "member",
        "teams": [],
        "is_google": false,
        "mfa_enabled": false,
        "disabled": false,
        "created_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.mfa.begin": {
    "response": {
      "type": "application/json",
      "value": {
        "secret": "example-secret-1",
        "otpauth_url": "otpauth://totp/Millrace:user8@example.org?issuer=Millrace&secret=example-secret-1&algorithm=SHA1&digits=6&period=30"
      }
    }
  },
  "auth.mfa.confirm": {
    "request": {
      "type": "application/json",
      "value": {
        "code": "123456"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "recovery_codes": [
          "example-recovery-codes-1",
          "example-recovery-codes-2",
          "example-recovery-codes-3"
        ]
      }
    }
  },
  "auth.mfa.remove": {
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.passwords.change": {
    "request": {
      "type": "application/json",
      "value": {
        "current_password": "example-current-password-1",
        "password": "example-password-3"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "refresh": "example-refresh-6",
        "access": "example-access-4",
        "expiresAt": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.passwords.confirmReset": {
    "request": {
      "type": "application/json",
      "value": {
        "token": "example-token-2",
        "password": "example-password-4"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.passwords.requestReset": {
    "request": {
      "type": "application/json",
      "value": {
        "email": "user3@example.org"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.retention.getSpace": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000004"
    },
    "response": {
      "type": "application/json",
      "value": {
        "days": null,
        "runs": null,
        "source": "default"
      }
    }
  },
  "auth.retention.getVault": {
    "response": {
      "type": "application/json",
      "value": {
        "days": null,
        "runs": null,
        "source": "default"
      }
    }
  },
  "auth.retention.setSpace": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000004"
    },
    "request": {
      "type": "application/json",
      "value": {
        "days": null,
        "runs": null
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "days": null,
        "runs": null,
        "source": "space"
      }
    }
  },
  "auth.retention.setVault": {
    "request": {
      "type": "application/json",
      "value": {
        "days": null,
        "runs": null
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "days": null,
        "runs": null,
        "source": "vault"
      }
    }
  },
  "auth.retention.unsetSpace": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000004"
    },
    "response": {
      "type": "application/json",
      "value": {
        "days": null,
        "runs": null,
        "source": "vault"
      }
    }
  },
  "auth.roles.listSpace": {
    "params": {
      "spaceId": "01996a52-0000-7000-8000-000000000004"
    },
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000005",
            "role": "owner",
            "user": {
              "id": "01996a52-0000-7000-8000-000000000002",
              "email": "user1@example.org",
              "name": "Ann Example"
            },
            "created_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 1,
        "next": null,
        "previous": null
      }
    }
  },
  "auth.roles.setTeamSpace": {
    "params": {
      "spaceId": "01996a52-0000-7000-8000-000000000004",
      "id": "1001"
    },
    "request": {
      "type": "application/json",
      "value": {
        "role": "read"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.roles.setTeamVault": {
    "params": {
      "id": "1001"
    },
    "request": {
      "type": "application/json",
      "value": {
        "role": "member"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.roles.setUserSpace": {
    "params": {
      "spaceId": "01996a52-0000-7000-8000-000000000004",
      "id": "01996a52-0000-7000-8000-000000000009"
    },
    "request": {
      "type": "application/json",
      "value": {
        "role": "read"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.roles.setUserVault": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000009"
    },
    "request": {
      "type": "application/json",
      "value": {
        "role": "member"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.roles.space": {
    "params": {
      "spaceId": "01996a52-0000-7000-8000-000000000004"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "role": "owner",
            "source": "direct"
          }
        ],
        "effective": "owner"
      }
    }
  },
  "auth.roles.unsetTeamSpace": {
    "params": {
      "spaceId": "01996a52-0000-7000-8000-000000000004",
      "id": "1001"
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.roles.unsetTeamVault": {
    "params": {
      "id": "1001"
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.roles.unsetUserSpace": {
    "params": {
      "spaceId": "01996a52-0000-7000-8000-000000000004",
      "id": "01996a52-0000-7000-8000-000000000009"
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.roles.unsetUserVault": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000009"
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.roles.vault": {
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "role": "owner",
            "source": "direct"
          }
        ],
        "effective": "owner"
      }
    }
  },
  "auth.sessions.end": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000048"
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.sessions.endOthers": {
    "response": {
      "type": "application/json",
      "value": {
        "success": true,
        "ended": 0
      }
    }
  },
  "auth.sessions.list": {
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000001",
            "client": "web",
            "address": "192.0.2.10",
            "agent": "Mozilla/5.0",
            "current": true,
            "created_date": "2026-01-15T09:00:00.000Z",
            "last_used_date": "2026-01-15T09:00:00.000Z",
            "expires_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 1,
        "next": null,
        "previous": null
      }
    }
  },
  "auth.sessions.login": {
    "request": {
      "type": "application/json",
      "value": {
        "email": "user1@example.org",
        "password": "example-password-1"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "refresh": "example-refresh-1",
        "access": "example-access-1",
        "expiresAt": "2026-01-15T09:00:00.000Z",
        "user": {
          "id": "01996a52-0000-7000-8000-000000000002",
          "email": "user1@example.org",
          "name": "Ann Example",
          "vault": "01996a52-0000-7000-8000-000000000003",
          "vault_role": "owner",
          "is_google": false,
          "mfa_enabled": false,
          "created_date": "2026-01-15T09:00:00.000Z"
        }
      }
    }
  },
  "auth.sessions.logout": {
    "request": {
      "type": "application/json",
      "value": {
        "refresh": "example-refresh-2"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.sessions.methods": {
    "response": {
      "type": "application/json",
      "value": {
        "signup": "open",
        "google": false
      }
    }
  },
  "auth.sessions.refresh": {
    "request": {
      "type": "application/json",
      "value": {
        "refresh": "example-refresh-3"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "refresh": "example-refresh-4",
        "access": "example-access-2",
        "expiresAt": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.sessions.signup": {
    "request": {
      "type": "application/json",
      "value": {
        "email": "user7@example.org",
        "password": "example-password-2",
        "name": "Ann Example"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "refresh": "example-refresh-5",
        "access": "example-access-3",
        "expiresAt": "2026-01-15T09:00:00.000Z",
        "user": {
          "id": "01996a52-0000-7000-8000-000000000049",
          "email": "user7@example.org",
          "name": "Ann Example",
          "vault": "01996a52-0000-7000-8000-000000000050",
          "vault_role": "owner",
          "is_google": false,
          "mfa_enabled": false,
          "created_date": "2026-01-15T09:00:00.000Z"
        }
      }
    }
  },
  "auth.teams.addMember": {
    "params": {
      "id": "1001",
      "userId": "01996a52-0000-7000-8000-000000000009"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1001",
        "name": "Mine",
        "description": "",
        "vault_id": "01996a52-0000-7000-8000-000000000003",
        "vault": "Ann Example's vault",
        "members": [
          {
            "id": "01996a52-0000-7000-8000-000000000009",
            "email": "user3@example.org",
            "name": "Guest"
          }
        ],
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.teams.create": {
    "request": {
      "type": "application/json",
      "value": {
        "name": "Example 7"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1002",
        "name": "Example 7",
        "description": "",
        "vault_id": "01996a52-0000-7000-8000-000000000003",
        "vault": "Ann Example's vault",
        "members": [],
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.teams.delete": {
    "params": {
      "id": "1003"
    }
  },
  "auth.teams.get": {
    "params": {
      "id": "1001"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1001",
        "name": "Mine",
        "description": "",
        "vault_id": "01996a52-0000-7000-8000-000000000003",
        "vault": "Ann Example's vault",
        "members": [
          {
            "id": "01996a52-0000-7000-8000-000000000009",
            "email": "user3@example.org",
            "name": "Guest"
          }
        ],
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.teams.list": {
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "1001",
            "name": "Mine",
            "description": "",
            "vault_id": "01996a52-0000-7000-8000-000000000003",
            "vault": "Ann Example's vault",
            "members": [
              {
                "id": "01996a52-0000-7000-8000-000000000009",
                "email": "user3@example.org",
                "name": "Guest"
              }
            ],
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
  "auth.teams.removeMember": {
    "params": {
      "id": "1001",
      "userId": "01996a52-0000-7000-8000-000000000009"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1001",
        "name": "Mine",
        "description": "",
        "vault_id": "01996a52-0000-7000-8000-000000000003",
        "vault": "Ann Example's vault",
        "members": [],
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.teams.update": {
    "params": {
      "id": "1001"
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
        "id": "1001",
        "name": "Mine",
        "description": "Changed",
        "vault_id": "01996a52-0000-7000-8000-000000000003",
        "vault": "Ann Example's vault",
        "members": [],
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.users.me": {
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000002",
        "email": "user1@example.org",
        "name": "Ann Example",
        "vault": "01996a52-0000-7000-8000-000000000003",
        "vault_role": "owner",
        "is_google": false,
        "mfa_enabled": false,
        "created_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.users.regenerateToken": {
    "response": {
      "type": "application/json",
      "value": {
        "token": "example-token-1",
        "prefix": "abc123"
      }
    }
  },
  "auth.users.updateMe": {
    "request": {
      "type": "application/json",
      "value": {
        "name": "Renamed"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000002",
        "email": "user1@example.org",
        "name": "Renamed",
        "vault": "01996a52-0000-7000-8000-000000000003",
        "vault_role": "owner",
        "is_google": false,
        "mfa_enabled": false,
        "created_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.vaults.get": {
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000003",
        "name": "Ann Example's vault",
        "plan": "enterprise",
        "role": "owner",
        "created_date": "2026-01-15T09:00:00.000Z"
      }
    }
  }
};
