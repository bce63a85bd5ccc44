# Runs the command of a step in its container. It uses nothing but busybox, because the image may have no shell.
# /millrace/run/command, which the worker writes, is the start mark. It sets `program` and `search_path`, and defines
# `with_command`, which runs its arguments followed by the environment, "$file" and the arguments of the command.
# This shell is process 1 of the container, so signals of the command do not reach it. It starts in the folder of the step.
busybox=/millrace/tools/busybox
step_folder=$PWD
cd /millrace/run || exit 125
trap 'exit 0' TERM
until [ -e command ]; do $busybox sleep 0.05; done
search_path=$PATH
. ./command
# Kubernetes sets these in every container. A step has no business with the API server.
unset $($busybox env | $busybox sed -n 's/^\(KUBERNETES_[A-Z0-9_]*\)=.*/\1/p')

# busybox would run its own sort, sed or sh in place of those of the image, unless it gets a path.
file=
case $program in
  */*) file=$program ;;
  *)
    IFS=:
    for folder in $search_path; do
      [ -f "${folder:-.}/$program" ] && [ -x "${folder:-.}/$program" ] && file=${folder:-.}/$program && break
    done
    unset IFS
    ;;
esac

ulimit -c 0
ulimit -n "$max_open_files" 2>/dev/null
ulimit -f $((max_file_bytes / 512)) 2>/dev/null
cd "$step_folder"
if [ -z "$file" ] || [ ! -e "$file" ]; then
  echo "cannot run $program: No such file or directory" >>/millrace/run/stderr
  status=127
elif [ -d "$file" ] || [ ! -x "$file" ]; then
  echo "cannot run $program: Permission denied" >>/millrace/run/stderr
  status=126
else
  # The command is the leader of a process group of its own, which gets TERM. Its variables are read again there, because the
  # arguments of a process are visible on the node as long as it runs.
  $busybox time -o /millrace/run/usage -f '%U %S %M %Z' \
    $busybox setsid $busybox sh -c '
      echo $$ >/millrace/run/group
      file=$1
      . /millrace/run/command
      with_command exec /millrace/tools/busybox env' sh "$file" \
    </dev/null >>/millrace/run/stdout 2>>/millrace/run/stderr
  status=$?
fi
# Everything that the command started ends with it. Process 1 itself gets no such signal.
[ $$ = 1 ] && kill -KILL -1 2>/dev/null
cd /millrace/run
# If "time" was killed as well, it has reported nothing. The processes that it ran are children of this shell now, which counts
# them when it waits again.
if [ "$status" -gt 128 ] && [ ! -s usage ]; then
  $busybox sleep 0.05
  times >usage
fi
echo "$status" >exit.new && $busybox mv exit.new exit
# The container lives until the worker has fetched the outputs and deletes its Job.
$busybox sleep 2147483647 &
wait
