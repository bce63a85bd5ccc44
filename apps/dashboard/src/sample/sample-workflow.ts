/** The name of the sample workflow, of its solution, and of its table. */
export const SAMPLE_WORKFLOW = 'Failed logins (sample)';
export const SAMPLE_SOLUTION = 'Samples';
export const SAMPLE_TABLE = 'Attackers (sample)';
/** The node whose output fills the table, and the column that identifies a row. */
export const SAMPLE_NODE = 'report-1';
export const SAMPLE_KEY = 'address';

/**
 * Finds addresses that try passwords on servers, in a log that its first node writes. It shows a script, distribution and
 * gathering, and needs no input and no network, so it succeeds on every installation within seconds.
 */
export const SAMPLE_YAML = `millrace: 1
name: ${SAMPLE_WORKFLOW}
description: Addresses that fail to sign in by SSH, with their users and hosts
data:
  nodes:
    log-1:
      type: SCRIPT
      meta: { label: sample log }
      script:
        source: |
          awk 'BEGIN {
            srand(7)
            split("203.0.113.7 203.0.113.99 198.51.100.23 192.0.2.44 192.0.2.80", addresses)
            split("root admin backup postgres deploy", users)
            split("web-1 web-2 db-1 mail-1", hosts)
            for (i = 0; i < 400; i++) {
              word = rand() < 0.95 ? "Failed" : "Accepted"
              printf "%02d:%02d:%02d %s sshd[%d]: %s password for %s from %s port %d\\n",
                int(i / 60) % 24, i % 60, int(rand() * 60), hosts[1 + int(rand() * 4)], 1000 + i, word,
                users[1 + int(rand() * 5)], addresses[1 + int(rand() * rand() * 5)], 30000 + i
            }
          }'
    parse-1:
      type: SCRIPT
      meta: { label: find sign-ins }
      distribution: { input: file, mode: batch, splits: 4 }
      script:
        source: |
          awk '{ print $9, $4, $7, $2, $1 }' in/log-1/*
    report-1:
      type: SCRIPT
      meta: { label: attackers }
      script:
        source: |
          cat in/parse-1/*/output.txt | sort -k5 | awk '
            $2 == "Failed" { failures[$1]++; hosts[$1 "," $4]; if (!seen[$1, $4]++) count[$1]++; last[$1] = $5 }
            $2 == "Accepted" { accepted[$1] = "true" }
            END {
              for (address in failures)
                printf "{\\"address\\": \\"%s\\", \\"failures\\": %d, \\"signed_in\\": %s, \\"hosts\\": %d, \\"last_failure\\": \\"%s\\"}\\n",
                  address, failures[address], (address in accepted) ? "true" : "false", count[address], last[address]
            }' | sort
  connections:
    - { from: log-1/file, to: parse-1/file }
    - { from: parse-1/folder, to: report-1/folder }
`;
