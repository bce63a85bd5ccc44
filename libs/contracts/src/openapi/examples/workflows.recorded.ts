import type { OperationExamples } from './operation-example.js';

/** Recorded by `npm run docs:examples`; do not edit. */
export const WORKFLOWS_EXAMPLES: OperationExamples = {
  "workflows.files.delete": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000093"
    }
  },
  "workflows.files.download": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000036"
    },
    "response": {
      "type": "application/octet-stream",
      "value": "mine"
    }
  },
  "workflows.files.get": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000036"
    },
    "response": {
      "type": "application/json",
      "value": {
        "name": "a.txt",
        "sha256": "3fd30542fe3f61b14bd4a4b2dc0b6fb30fa6f63ebce52dd1778aaa8c4dc02cff",
        "size": 4,
        "id": "01996a52-0000-7000-8000-000000000036",
        "path": "mine/a.txt",
        "folder": "mine",
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.files.list": {
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "name": "a.txt",
            "sha256": "3fd30542fe3f61b14bd4a4b2dc0b6fb30fa6f63ebce52dd1778aaa8c4dc02cff",
            "size": 4,
            "id": "01996a52-0000-7000-8000-000000000036",
            "path": "mine/a.txt",
            "folder": "mine",
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
  "workflows.files.upload": {
    "request": {
      "type": "multipart/form-data",
      "value": {
        "path": "lists/lines.txt",
        "file": "one\ntwo\n"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "name": "lines.txt",
        "sha256": "c3f9c8c283a2b1f2f1896f27a01cbe3cddc0c9d93f752e4639035a0f5b36f6e8",
        "size": 8,
        "id": "01996a52-0000-7000-8000-000000000094",
        "path": "lists/lines.txt",
        "folder": "lists",
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.files.usage": {
    "response": {
      "type": "application/json",
      "value": {
        "files": 1,
        "used_bytes": 4096,
        "run_bytes": 2048,
        "quota_bytes": null
      }
    }
  },
  "workflows.folders.create": {
    "request": {
      "type": "application/json",
      "value": {
        "path": "Example 9"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true,
        "folder": {
          "id": "01996a52-0000-7000-8000-000000000092",
          "path": "Example 9",
          "name": "Example 9",
          "created_date": "2026-01-15T09:00:00.000Z"
        }
      }
    }
  },
  "workflows.folders.delete": {
    "query": {
      "path": "Example 10"
    }
  },
  "workflows.folders.list": {
    "query": {
      "path": "mine",
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000037",
            "path": "mine/deep",
            "name": "deep",
            "parent": "mine",
            "created_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 1,
        "next": null,
        "previous": null
      }
    }
  },
  "workflows.hooks.delete": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    }
  },
  "workflows.hooks.fire": {
    "params": {
      "token": "example-token-8"
    },
    "request": {
      "type": "application/json",
      "value": {}
    },
    "response": {
      "type": "application/json",
      "value": {
        "run": "1003"
      }
    }
  },
  "workflows.hooks.get": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    },
    "response": {
      "type": "application/json",
      "value": {
        "prefix": "abc123",
        "author": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.hooks.rotate": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    },
    "request": {
      "type": "application/json",
      "value": {}
    },
    "response": {
      "type": "application/json",
      "value": {
        "prefix": "abc123",
        "author": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z",
        "token": "example-token-9",
        "url": "https://millrace.example.org/api/hooks/example-token-9"
      }
    }
  },
  "workflows.hooks.update": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    },
    "request": {
      "type": "application/json",
      "value": {
        "payload_as": null
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "prefix": "abc123",
        "author": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.models.list": {
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "claude-opus-4-5",
            "name": "Claude Opus 4.5",
            "provider": "anthropic",
            "description": "Anthropic's most capable model, for long and difficult work",
            "context_window": 200000,
            "max_output_tokens": 64000
          },
          {
            "id": "claude-sonnet-4-5",
            "name": "Claude Sonnet 4.5",
            "provider": "anthropic",
            "description": "Anthropic's model for agents and code, at a lower price",
            "context_window": 200000,
            "max_output_tokens": 64000
          },
          {
            "id": "claude-haiku-4-5",
            "name": "Claude Haiku 4.5",
            "provider": "anthropic",
            "description": "Anthropic's small and fast model",
            "context_window": 200000,
            "max_output_tokens": 64000
          }
        ]
      }
    }
  },
  "workflows.models.set": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    },
    "request": {
      "type": "application/json",
      "value": {
        "modelId": "claude-opus-4-5"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true,
        "modelId": "claude-opus-4-5",
        "model": {
          "id": "claude-opus-4-5",
          "name": "Claude Opus 4.5",
          "provider": "anthropic",
          "description": "Anthropic's most capable model, for long and difficult work",
          "context_window": 200000,
          "max_output_tokens": 64000
        }
      }
    }
  },
  "workflows.modules.create": {
    "request": {
      "type": "application/json",
      "value": {
        "name": "mine",
        "script": {
          "source": "echo mine"
        }
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "inputs": [],
        "outputs": [
          {
            "name": "file",
            "type": "FILE",
            "order": 1
          },
          {
            "name": "folder",
            "type": "FOLDER",
            "order": 2
          }
        ],
        "script": {
          "source": "echo mine"
        },
        "script_type": "bash",
        "id": "01996a52-0000-7000-8000-000000000083",
        "name": "mine",
        "type": "SCRIPT",
        "author": "01996a52-0000-7000-8000-000000000002",
        "vault": "01996a52-0000-7000-8000-000000000003",
        "vault_info": {
          "id": "01996a52-0000-7000-8000-000000000003"
        },
        "built_in": false,
        "version": 1,
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z",
        "node": {
          "id": "01996a52-0000-7000-8000-000000000083",
          "name": "mine-1",
          "type": "SCRIPT",
          "meta": {
            "label": "mine",
            "coordinates": {
              "x": 0,
              "y": 0
            }
          },
          "inputs": {},
          "outputs": {
            "file": {
              "type": "FILE",
              "order": 1
            },
            "folder": {
              "type": "FOLDER",
              "order": 2
            }
          },
          "bee_type": "small",
          "script": {
            "source": "echo mine"
          },
          "script_type": "bash"
        }
      }
    }
  },
  "workflows.modules.createVersion": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000084"
    },
    "request": {
      "type": "application/json",
      "value": {
        "script": {
          "source": "echo again"
        }
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "inputs": [],
        "outputs": [
          {
            "name": "file",
            "type": "FILE",
            "order": 1
          },
          {
            "name": "folder",
            "type": "FOLDER",
            "order": 2
          }
        ],
        "script": {
          "source": "echo again"
        },
        "script_type": "bash",
        "id": "01996a52-0000-7000-8000-000000000084",
        "name": "mine",
        "type": "SCRIPT",
        "author": "01996a52-0000-7000-8000-000000000085",
        "vault": "01996a52-0000-7000-8000-000000000003",
        "vault_info": {
          "id": "01996a52-0000-7000-8000-000000000003"
        },
        "built_in": false,
        "version": 2,
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z",
        "node": {
          "id": "01996a52-0000-7000-8000-000000000084",
          "name": "mine-1",
          "type": "SCRIPT",
          "meta": {
            "label": "mine",
            "coordinates": {
              "x": 0,
              "y": 0
            }
          },
          "inputs": {},
          "outputs": {
            "file": {
              "type": "FILE",
              "order": 1
            },
            "folder": {
              "type": "FOLDER",
              "order": 2
            }
          },
          "bee_type": "small",
          "script": {
            "source": "echo again"
          },
          "script_type": "bash"
        }
      }
    }
  },
  "workflows.modules.delete": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000086"
    }
  },
  "workflows.modules.get": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000033"
    },
    "response": {
      "type": "application/json",
      "value": {
        "inputs": [],
        "script": {
          "source": "echo mine"
        },
        "outputs": [
          {
            "name": "file",
            "type": "FILE",
            "order": 1
          },
          {
            "name": "folder",
            "type": "FOLDER",
            "order": 2
          }
        ],
        "script_type": "bash",
        "id": "01996a52-0000-7000-8000-000000000033",
        "name": "mine",
        "type": "SCRIPT",
        "author": "01996a52-0000-7000-8000-000000000002",
        "vault": "01996a52-0000-7000-8000-000000000003",
        "vault_info": {
          "id": "01996a52-0000-7000-8000-000000000003"
        },
        "built_in": false,
        "version": 1,
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z",
        "node": {
          "id": "01996a52-0000-7000-8000-000000000033",
          "name": "mine-1",
          "type": "SCRIPT",
          "meta": {
            "label": "mine",
            "coordinates": {
              "x": 0,
              "y": 0
            }
          },
          "inputs": {},
          "outputs": {
            "file": {
              "type": "FILE",
              "order": 1
            },
            "folder": {
              "type": "FOLDER",
              "order": 2
            }
          },
          "bee_type": "small",
          "script": {
            "source": "echo mine"
          },
          "script_type": "bash"
        }
      }
    }
  },
  "workflows.modules.list": {
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "inputs": [
              {
                "name": "file",
                "type": "FILE",
                "order": 1,
                "command": "--file=",
                "required": true,
                "description": "Text to process"
              },
              {
                "name": "program",
                "type": "STRING",
                "order": 2,
                "command": "--program=",
                "required": true,
                "description": "awk program, such as {print $2}"
              },
              {
                "name": "separator",
                "type": "STRING",
                "order": 3,
                "command": "--separator=",
                "description": "Separator between columns; white space by default"
              }
            ],
            "outputs": [
              {
                "name": "file",
                "type": "FILE",
                "order": 1
              },
              {
                "name": "folder",
                "type": "FOLDER",
                "order": 2
              }
            ],
            "packages": {
              "apt": [
                "mawk"
              ]
            },
            "script_type": "bash",
            "id": "01996a52-0000-7000-8000-000000000034",
            "name": "awk",
            "description": "Processes columns with an awk program",
            "type": "SCRIPT",
            "category": "Text",
            "built_in": true,
            "version": 1,
            "doc_link": "https://pubs.opengroup.org/onlinepubs/9699919799/utilities/awk.html",
            "license_info": "GPL-2.0-only (mawk)",
            "created_date": "2026-01-15T09:00:00.000Z",
            "modified_date": "2026-01-15T09:00:00.000Z"
          },
          {
            "inputs": [
              {
                "name": "ignore_garbage",
                "type": "BOOLEAN",
                "order": 1,
                "value": false,
                "command": "--ignore-garbage",
                "description": "Skips characters that are not base64"
              },
              {
                "name": "file",
                "type": "FILE",
                "order": 101,
                "command": "",
                "required": true,
                "description": "Base64 text"
              }
            ],
            "outputs": [
              {
                "name": "file",
                "type": "FILE",
                "order": 1
              },
              {
                "name": "folder",
                "type": "FOLDER",
                "order": 2
              }
            ],
            "container": {
              "command": [
                "base64",
                "--decode"
              ]
            },
            "output_command": ">",
            "id": "01996a52-0000-7000-8000-000000000035",
            "name": "base64-decode",
            "description": "Decodes base64 into a file",
            "type": "TOOL",
            "category": "Hashing and encoding",
            "built_in": true,
            "version": 1,
            "source_url": "https://www.gnu.org/software/coreutils/",
            "doc_link": "https://www.rfc-editor.org/rfc/rfc4648",
            "license_info": "GPL-3.0-or-later",
            "created_date": "2026-01-15T09:00:00.000Z",
            "modified_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 90,
        "next": "https://millrace.example.org/api/library/module?page_size=2&page=2",
        "previous": null
      }
    }
  },
  "workflows.modules.listCategories": {
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "name": "CSV",
            "count": 7
          },
          {
            "name": "Data",
            "count": 11
          },
          {
            "name": "Files and archives",
            "count": 10
          }
        ]
      }
    }
  },
  "workflows.modules.listUses": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000033"
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
  "workflows.modules.listVersions": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000033"
    },
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "inputs": [],
            "outputs": [
              {
                "name": "file",
                "type": "FILE",
                "order": 1
              },
              {
                "name": "folder",
                "type": "FOLDER",
                "order": 2
              }
            ],
            "script_type": "bash",
            "number": 1,
            "author": "01996a52-0000-7000-8000-000000000002",
            "created_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 1,
        "next": null,
        "previous": null
      }
    }
  },
  "workflows.modules.update": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000087"
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
        "inputs": [],
        "script": {
          "source": "echo mine"
        },
        "outputs": [
          {
            "name": "file",
            "type": "FILE",
            "order": 1
          },
          {
            "name": "folder",
            "type": "FOLDER",
            "order": 2
          }
        ],
        "script_type": "bash",
        "id": "01996a52-0000-7000-8000-000000000087",
        "name": "mine",
        "description": "Changed",
        "type": "SCRIPT",
        "author": "01996a52-0000-7000-8000-000000000088",
        "vault": "01996a52-0000-7000-8000-000000000003",
        "vault_info": {
          "id": "01996a52-0000-7000-8000-000000000003"
        },
        "built_in": false,
        "version": 1,
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.projects.create": {
    "params": {
      "spaceId": "01996a52-0000-7000-8000-000000000004"
    },
    "request": {
      "type": "application/json",
      "value": {
        "name": "x"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000068",
        "name": "x",
        "description": null,
        "space_info": "01996a52-0000-7000-8000-000000000004",
        "space_name": "Playground",
        "workflows_count": 0,
        "author": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.projects.delete": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000069"
    }
  },
  "workflows.projects.get": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000025"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000025",
        "name": "Mine",
        "description": null,
        "space_info": "01996a52-0000-7000-8000-000000000004",
        "space_name": "Playground",
        "workflows_count": 0,
        "author": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.projects.list": {
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
            "id": "01996a52-0000-7000-8000-000000000025",
            "name": "Mine",
            "description": null,
            "space_info": "01996a52-0000-7000-8000-000000000004",
            "space_name": "Playground",
            "workflows_count": 0,
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
  "workflows.projects.update": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000025"
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
        "id": "01996a52-0000-7000-8000-000000000025",
        "name": "Mine",
        "description": "Changed",
        "space_info": "01996a52-0000-7000-8000-000000000004",
        "space_name": "Playground",
        "workflows_count": 0,
        "author": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.schedules.delete": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    }
  },
  "workflows.schedules.listTicks": {
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
        "next": null,
        "previous": null
      }
    }
  },
  "workflows.schedules.set": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    },
    "request": {
      "type": "application/json",
      "value": {
        "repeat_period": 527040
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "repeat_period": 527040,
        "enabled": true,
        "author": "01996a52-0000-7000-8000-000000000002",
        "next_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.secrets.create": {
    "request": {
      "type": "application/json",
      "value": {
        "name": "VARIABLE_1",
        "value": "a value",
        "scope_type": "user"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000089",
        "name": "VARIABLE_1",
        "scope_type": "user",
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.secrets.delete": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000090"
    }
  },
  "workflows.secrets.list": {
    "response": {
      "type": "application/json",
      "value": {
        "success": true,
        "results": []
      }
    }
  },
  "workflows.secrets.update": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000091"
    },
    "request": {
      "type": "application/json",
      "value": {
        "value": "another value"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000091",
        "name": "VARIABLE_2",
        "scope_type": "user",
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.snapshots.copy": {
    "params": {
      "snapshotId": "01996a52-0000-7000-8000-000000000032"
    },
    "request": {
      "type": "application/json",
      "value": {
        "space": "01996a52-0000-7000-8000-000000000004"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000078",
        "status": "IDLE",
        "executing": false,
        "schedule_info": null,
        "name": "Example 6",
        "description": null,
        "space_info": "01996a52-0000-7000-8000-000000000004",
        "space_name": "Playground",
        "author": "01996a52-0000-7000-8000-000000000002",
        "latest_version_info": "01996a52-0000-7000-8000-000000000079",
        "is_app": false,
        "has_database": false,
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.snapshots.create": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    },
    "request": {
      "type": "application/json",
      "value": {
        "workflow_version_info": "01996a52-0000-7000-8000-000000000027"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000080",
        "name": "Example 3",
        "description": null,
        "workflow": "01996a52-0000-7000-8000-000000000026",
        "workflow_name": "Example 3",
        "workflow_version_info": "01996a52-0000-7000-8000-000000000027",
        "version_number": 1,
        "space_info": "01996a52-0000-7000-8000-000000000004",
        "space_name": "Playground",
        "author": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.snapshots.delete": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026",
      "snapshotId": "01996a52-0000-7000-8000-000000000081"
    }
  },
  "workflows.snapshots.get": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026",
      "snapshotId": "01996a52-0000-7000-8000-000000000032"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000032",
        "name": "Example 6",
        "description": null,
        "workflow": "01996a52-0000-7000-8000-000000000026",
        "workflow_name": "Example 3",
        "workflow_version_info": "01996a52-0000-7000-8000-000000000027",
        "version_number": 1,
        "space_info": "01996a52-0000-7000-8000-000000000004",
        "space_name": "Playground",
        "author": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.snapshots.getPublished": {
    "params": {
      "snapshotId": "01996a52-0000-7000-8000-000000000032"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000032",
        "name": "Example 6",
        "description": null,
        "workflow": "01996a52-0000-7000-8000-000000000026",
        "workflow_name": "Example 3",
        "workflow_version_info": "01996a52-0000-7000-8000-000000000027",
        "version_number": 1,
        "space_info": "01996a52-0000-7000-8000-000000000004",
        "space_name": "Playground",
        "author": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z",
        "data": {
          "nodes": {
            "only-1": {
              "type": "SCRIPT",
              "script": {
                "source": "echo mine"
              }
            }
          },
          "connections": [],
          "primitiveNodes": {}
        }
      }
    }
  },
  "workflows.snapshots.list": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    },
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000032",
            "name": "Example 6",
            "description": null,
            "workflow": "01996a52-0000-7000-8000-000000000026",
            "workflow_name": "Example 3",
            "workflow_version_info": "01996a52-0000-7000-8000-000000000027",
            "version_number": 1,
            "space_info": "01996a52-0000-7000-8000-000000000004",
            "space_name": "Playground",
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
  "workflows.snapshots.listPublished": {
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000032",
            "name": "Example 6",
            "description": null,
            "workflow": "01996a52-0000-7000-8000-000000000026",
            "workflow_name": "Example 3",
            "workflow_version_info": "01996a52-0000-7000-8000-000000000027",
            "version_number": 1,
            "space_info": "01996a52-0000-7000-8000-000000000004",
            "space_name": "Playground",
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
  "workflows.snapshots.restore": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026",
      "snapshotId": "01996a52-0000-7000-8000-000000000032"
    },
    "request": {
      "type": "application/json",
      "value": {}
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000082",
        "workflow_info": "01996a52-0000-7000-8000-000000000026",
        "number": 4,
        "snapshot": false,
        "author": "01996a52-0000-7000-8000-000000000002",
        "run_count": 0,
        "created_date": "2026-01-15T09:00:00.000Z",
        "data": {
          "nodes": {
            "only-1": {
              "type": "SCRIPT",
              "script": {
                "source": "echo mine"
              }
            }
          },
          "connections": [],
          "primitiveNodes": {}
        }
      }
    }
  },
  "workflows.snapshots.update": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026",
      "snapshotId": "01996a52-0000-7000-8000-000000000032"
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
        "id": "01996a52-0000-7000-8000-000000000032",
        "name": "Example 6",
        "description": "Changed",
        "workflow": "01996a52-0000-7000-8000-000000000026",
        "workflow_name": "Example 3",
        "workflow_version_info": "01996a52-0000-7000-8000-000000000027",
        "version_number": 1,
        "space_info": "01996a52-0000-7000-8000-000000000004",
        "space_name": "Playground",
        "author": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.spaces.create": {
    "request": {
      "type": "application/json",
      "value": {
        "name": "Example 8"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000066",
        "name": "Example 8",
        "description": null,
        "vault_info": "01996a52-0000-7000-8000-000000000003",
        "playground": false,
        "role": "owner",
        "author": "01996a52-0000-7000-8000-000000000002",
        "author_info": "01996a52-0000-7000-8000-000000000002",
        "projects_count": 0,
        "workflows_count": 0,
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.spaces.delete": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000067"
    }
  },
  "workflows.spaces.get": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000004"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000004",
        "name": "Playground",
        "description": null,
        "vault_info": "01996a52-0000-7000-8000-000000000003",
        "playground": true,
        "role": "owner",
        "author": "01996a52-0000-7000-8000-000000000002",
        "author_info": "01996a52-0000-7000-8000-000000000002",
        "projects_count": 1,
        "workflows_count": 4,
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.spaces.list": {
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000024",
            "name": "Example 2",
            "description": null,
            "vault_info": "01996a52-0000-7000-8000-000000000003",
            "playground": false,
            "role": "owner",
            "author": "01996a52-0000-7000-8000-000000000002",
            "author_info": "01996a52-0000-7000-8000-000000000002",
            "projects_count": 0,
            "workflows_count": 0,
            "created_date": "2026-01-15T09:00:00.000Z",
            "modified_date": "2026-01-15T09:00:00.000Z"
          },
          {
            "id": "01996a52-0000-7000-8000-000000000004",
            "name": "Playground",
            "description": null,
            "vault_info": "01996a52-0000-7000-8000-000000000003",
            "playground": true,
            "role": "owner",
            "author": "01996a52-0000-7000-8000-000000000002",
            "author_info": "01996a52-0000-7000-8000-000000000002",
            "projects_count": 1,
            "workflows_count": 4,
            "created_date": "2026-01-15T09:00:00.000Z",
            "modified_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 2,
        "next": null,
        "previous": null
      }
    }
  },
  "workflows.spaces.update": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000004"
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
        "id": "01996a52-0000-7000-8000-000000000004",
        "name": "Playground",
        "description": "Changed",
        "vault_info": "01996a52-0000-7000-8000-000000000003",
        "playground": true,
        "role": "owner",
        "author": "01996a52-0000-7000-8000-000000000002",
        "author_info": "01996a52-0000-7000-8000-000000000002",
        "projects_count": 1,
        "workflows_count": 4,
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.versions.diff": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026",
      "a": "01996a52-0000-7000-8000-000000000027",
      "b": "latest"
    },
    "response": {
      "type": "application/json",
      "value": {
        "from": "01996a52-0000-7000-8000-000000000027",
        "to": "01996a52-0000-7000-8000-000000000027",
        "same": true,
        "nodes": {
          "added": [],
          "removed": [],
          "changed": []
        },
        "inputs": {
          "added": [],
          "removed": [],
          "changed": []
        },
        "outputs": {
          "added": [],
          "removed": [],
          "changed": []
        },
        "annotations": {
          "added": [],
          "removed": [],
          "changed": []
        },
        "edges": {
          "added": [],
          "removed": [],
          "changed": []
        },
        "other": []
      }
    }
  },
  "workflows.versions.get": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026",
      "versionId": "01996a52-0000-7000-8000-000000000027"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000027",
        "workflow_info": "01996a52-0000-7000-8000-000000000026",
        "number": 1,
        "snapshot": true,
        "author": "01996a52-0000-7000-8000-000000000002",
        "run_count": 0,
        "created_date": "2026-01-15T09:00:00.000Z",
        "data": {
          "nodes": {
            "only-1": {
              "type": "SCRIPT",
              "script": {
                "source": "echo mine"
              }
            }
          },
          "connections": [],
          "primitiveNodes": {}
        }
      }
    }
  },
  "workflows.versions.list": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    },
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000027",
            "workflow_info": "01996a52-0000-7000-8000-000000000026",
            "number": 1,
            "snapshot": true,
            "author": "01996a52-0000-7000-8000-000000000002",
            "run_count": 0,
            "created_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 1,
        "next": null,
        "previous": null
      }
    }
  },
  "workflows.versions.restore": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026",
      "versionId": "01996a52-0000-7000-8000-000000000027"
    },
    "request": {
      "type": "application/json",
      "value": {}
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000027",
        "workflow_info": "01996a52-0000-7000-8000-000000000026",
        "number": 1,
        "snapshot": true,
        "author": "01996a52-0000-7000-8000-000000000002",
        "run_count": 0,
        "created_date": "2026-01-15T09:00:00.000Z",
        "data": {
          "nodes": {
            "only-1": {
              "type": "SCRIPT",
              "script": {
                "source": "echo mine"
              }
            }
          },
          "connections": [],
          "primitiveNodes": {}
        }
      }
    }
  },
  "workflows.versions.save": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    },
    "request": {
      "type": "application/json",
      "value": {
        "data": {
          "nodes": {}
        }
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000072",
        "workflow_info": "01996a52-0000-7000-8000-000000000026",
        "number": 2,
        "snapshot": false,
        "author": "01996a52-0000-7000-8000-000000000002",
        "run_count": 0,
        "created_date": "2026-01-15T09:00:00.000Z",
        "data": {
          "nodes": {}
        },
        "warnings": [
          {
            "code": "123456",
            "message": "The workflow has no nodes, so a run does nothing.",
            "hint": "Add a tool, a script or a module."
          }
        ]
      }
    }
  },
  "workflows.versions.saveFile": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    },
    "request": {
      "type": "application/json",
      "value": {
        "yaml": "millrace: 1\nname: x\ndata: {}\n"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000077",
        "workflow_info": "01996a52-0000-7000-8000-000000000026",
        "number": 3,
        "snapshot": false,
        "author": "01996a52-0000-7000-8000-000000000002",
        "run_count": 0,
        "created_date": "2026-01-15T09:00:00.000Z",
        "errors": [],
        "warnings": [
          {
            "code": "123456",
            "message": "The workflow has no nodes, so a run does nothing.",
            "hint": "Add a tool, a script or a module."
          }
        ]
      }
    }
  },
  "workflows.versions.validateFile": {
    "request": {
      "type": "application/json",
      "value": {
        "workflow": "01996a52-0000-7000-8000-000000000026",
        "yaml": "millrace: 1\nname: x\ndata: {}\n"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "name": "x",
        "errors": [],
        "warnings": [
          {
            "code": "123456",
            "message": "The workflow has no nodes, so a run does nothing.",
            "hint": "Add a tool, a script or a module."
          }
        ]
      }
    }
  },
  "workflows.workflows.copy": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    },
    "request": {
      "type": "application/json",
      "value": {
        "space": "01996a52-0000-7000-8000-000000000024"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000073",
        "status": "IDLE",
        "executing": false,
        "schedule_info": null,
        "name": "Example 3 (copy)",
        "description": "Changed",
        "space_info": "01996a52-0000-7000-8000-000000000024",
        "space_name": "Example 2",
        "author": "01996a52-0000-7000-8000-000000000002",
        "latest_version_info": "01996a52-0000-7000-8000-000000000074",
        "is_app": false,
        "has_database": false,
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.workflows.create": {
    "params": {
      "spaceId": "01996a52-0000-7000-8000-000000000004"
    },
    "request": {
      "type": "application/json",
      "value": {
        "name": "x"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000070",
        "status": "IDLE",
        "executing": false,
        "schedule_info": null,
        "name": "x",
        "description": null,
        "space_info": "01996a52-0000-7000-8000-000000000004",
        "space_name": "Playground",
        "author": "01996a52-0000-7000-8000-000000000002",
        "is_app": false,
        "has_database": false,
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.workflows.delete": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000071"
    }
  },
  "workflows.workflows.export": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    },
    "response": {
      "type": "application/yaml",
      "value": "millrace: 1\nname: Example 3\nmetadata:\n  workflow: 01996a52-0000-7000-8000-000000000026\n  version: 01996a52-0000-7000-8000-000000000027\n  version_number: 1\n  version_created_date: 2026-01-15T09:00:00.000Z\ndata:\n  nodes:\n    only-1:\n      type: SCRIPT\n      script:\n        source: echo mine\n  connections: []\n  primitiveNodes: {}\n"
    }
  },
  "workflows.workflows.get": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000026",
        "status": "IDLE",
        "executing": false,
        "schedule_info": null,
        "name": "Example 3",
        "description": null,
        "space_info": "01996a52-0000-7000-8000-000000000004",
        "space_name": "Playground",
        "author": "01996a52-0000-7000-8000-000000000002",
        "latest_version_info": "01996a52-0000-7000-8000-000000000027",
        "is_app": true,
        "has_database": true,
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.workflows.import": {
    "query": {
      "space": "01996a52-0000-7000-8000-000000000004"
    },
    "request": {
      "type": "application/json",
      "value": {
        "millrace": 1,
        "name": "x",
        "data": {}
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000075",
        "status": "IDLE",
        "executing": false,
        "schedule_info": null,
        "name": "x",
        "description": null,
        "space_info": "01996a52-0000-7000-8000-000000000004",
        "space_name": "Playground",
        "author": "01996a52-0000-7000-8000-000000000002",
        "latest_version_info": "01996a52-0000-7000-8000-000000000076",
        "is_app": false,
        "has_database": false,
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.workflows.list": {
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000028",
            "status": "IDLE",
            "executing": false,
            "last_execution_status": "COMPLETED",
            "schedule_info": null,
            "name": "Example 4",
            "description": null,
            "space_info": "01996a52-0000-7000-8000-000000000004",
            "space_name": "Playground",
            "author": "01996a52-0000-7000-8000-000000000002",
            "latest_version_info": "01996a52-0000-7000-8000-000000000029",
            "is_app": false,
            "has_database": false,
            "created_date": "2026-01-15T09:00:00.000Z",
            "modified_date": "2026-01-15T09:00:00.000Z"
          },
          {
            "id": "01996a52-0000-7000-8000-000000000030",
            "status": "IDLE",
            "executing": false,
            "last_execution_status": "COMPLETED",
            "schedule_info": null,
            "name": "Example 5",
            "description": null,
            "space_info": "01996a52-0000-7000-8000-000000000004",
            "space_name": "Playground",
            "author": "01996a52-0000-7000-8000-000000000002",
            "latest_version_info": "01996a52-0000-7000-8000-000000000031",
            "is_app": false,
            "has_database": false,
            "created_date": "2026-01-15T09:00:00.000Z",
            "modified_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 4,
        "next": "https://millrace.example.org/api/workflows?page_size=2&page=2",
        "previous": null
      }
    }
  },
  "workflows.workflows.listInSpace": {
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
            "id": "01996a52-0000-7000-8000-000000000028",
            "status": "IDLE",
            "executing": false,
            "last_execution_status": "COMPLETED",
            "schedule_info": null,
            "name": "Example 4",
            "description": null,
            "space_info": "01996a52-0000-7000-8000-000000000004",
            "space_name": "Playground",
            "author": "01996a52-0000-7000-8000-000000000002",
            "latest_version_info": "01996a52-0000-7000-8000-000000000029",
            "is_app": false,
            "has_database": false,
            "created_date": "2026-01-15T09:00:00.000Z",
            "modified_date": "2026-01-15T09:00:00.000Z"
          },
          {
            "id": "01996a52-0000-7000-8000-000000000030",
            "status": "IDLE",
            "executing": false,
            "last_execution_status": "COMPLETED",
            "schedule_info": null,
            "name": "Example 5",
            "description": null,
            "space_info": "01996a52-0000-7000-8000-000000000004",
            "space_name": "Playground",
            "author": "01996a52-0000-7000-8000-000000000002",
            "latest_version_info": "01996a52-0000-7000-8000-000000000031",
            "is_app": false,
            "has_database": false,
            "created_date": "2026-01-15T09:00:00.000Z",
            "modified_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 4,
        "next": "https://millrace.example.org/api/spaces/01996a52-0000-7000-8000-000000000004/workflows?page_size=2&page=2",
        "previous": null
      }
    }
  },
  "workflows.workflows.listInVault": {
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000028",
            "status": "IDLE",
            "executing": false,
            "last_execution_status": "COMPLETED",
            "schedule_info": null,
            "name": "Example 4",
            "description": null,
            "space_info": "01996a52-0000-7000-8000-000000000004",
            "space_name": "Playground",
            "author": "01996a52-0000-7000-8000-000000000002",
            "latest_version_info": "01996a52-0000-7000-8000-000000000029",
            "is_app": false,
            "has_database": false,
            "created_date": "2026-01-15T09:00:00.000Z",
            "modified_date": "2026-01-15T09:00:00.000Z",
            "space": {
              "id": "01996a52-0000-7000-8000-000000000004",
              "name": "Playground",
              "description": null,
              "playground": true
            }
          },
          {
            "id": "01996a52-0000-7000-8000-000000000030",
            "status": "IDLE",
            "executing": false,
            "last_execution_status": "COMPLETED",
            "schedule_info": null,
            "name": "Example 5",
            "description": null,
            "space_info": "01996a52-0000-7000-8000-000000000004",
            "space_name": "Playground",
            "author": "01996a52-0000-7000-8000-000000000002",
            "latest_version_info": "01996a52-0000-7000-8000-000000000031",
            "is_app": false,
            "has_database": false,
            "created_date": "2026-01-15T09:00:00.000Z",
            "modified_date": "2026-01-15T09:00:00.000Z",
            "space": {
              "id": "01996a52-0000-7000-8000-000000000004",
              "name": "Playground",
              "description": null,
              "playground": true
            }
          }
        ],
        "count": 4,
        "next": "https://millrace.example.org/api/vault/workflows?page_size=2&page=2"
      }
    }
  },
  "workflows.workflows.move": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    },
    "request": {
      "type": "application/json",
      "value": {
        "space": "01996a52-0000-7000-8000-000000000004"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000026",
        "status": "IDLE",
        "executing": false,
        "schedule_info": null,
        "name": "Example 3",
        "description": "Changed",
        "space_info": "01996a52-0000-7000-8000-000000000004",
        "space_name": "Playground",
        "author": "01996a52-0000-7000-8000-000000000002",
        "latest_version_info": "01996a52-0000-7000-8000-000000000072",
        "is_app": true,
        "has_database": true,
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.workflows.status": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000026",
        "status": "IDLE",
        "executing": false,
        "schedule_info": null
      }
    }
  },
  "workflows.workflows.update": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
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
        "id": "01996a52-0000-7000-8000-000000000026",
        "status": "IDLE",
        "executing": false,
        "schedule_info": null,
        "name": "Example 3",
        "description": "Changed",
        "space_info": "01996a52-0000-7000-8000-000000000004",
        "space_name": "Playground",
        "author": "01996a52-0000-7000-8000-000000000002",
        "latest_version_info": "01996a52-0000-7000-8000-000000000027",
        "is_app": true,
        "has_database": true,
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "workflows.workflows.validate": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000026"
    },
    "request": {
      "type": "application/json",
      "value": {}
    },
    "response": {
      "type": "application/json",
      "value": {
        "errors": [],
        "warnings": []
      }
    }
  }
};
