# Prints how the step ended on standard error, one line: its exit code, and the usage if it is known. On success the outputs
# follow as a tar archive on standard output. Its argument is the folder of the outputs.
out=$1
status=
[ -f /millrace/run/exit ] && read -r status </millrace/run/exit
usage=
[ -f /millrace/run/usage ] && usage=$(head -c 1000 /millrace/run/usage | tr '\n' ' ')
printf '%s|%s\n' "$status" "$usage" >&2
[ "$status" = 0 ] || exit 0
# A step can put a link in the place of its folder, for example to the root of this container.
if [ ! -d "$out" ] || [ -L "$out" ]; then exec tar --create --format=gnu --files-from=/dev/null; fi
# A step can forbid others, and itself, to read its files.
chmod -R u+rwX "$out"
exec tar --create --format=gnu --hard-dereference --numeric-owner --owner=0 --group=0 --directory="$out" .
