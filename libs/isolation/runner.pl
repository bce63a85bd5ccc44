#!/usr/bin/perl
# Runs commands for a worker, one at a time, and ends every process that a command leaves behind.
# docs/architecture/runner.md describes its roles, arguments and frames.
#
# It is Perl because perl-base is on every Debian, starts in 2 ms and forks in 0.3 ms; a Node.js of 100 MB forks in 3 ms.
#
# Usage: runner.pl unsandboxed|supervisor|sandbox <architecture as Node.js names it> [user:<id>]
#            [seccomp:<program as hex>] [<resource number>:<limit> ...]
use strict;
use warnings;

my %CALLS_OF = (
    x64 => {
        wait4 => 61, prctl => 157, prlimit64 => 302, pidfd_open => 434, close_range => 436, exit_group => 231,
        dup3 => 292, close => 3, seccomp => 317, setgroups => 116, setresgid => 119, setresuid => 117, unshare => 272,
    },
    generic => {
        wait4 => 260, prctl => 167, prlimit64 => 261, pidfd_open => 434, close_range => 436, exit_group => 94,
        dup3 => 24, close => 57, seccomp => 277, setgroups => 159, setresgid => 149, setresuid => 147, unshare => 97,
    },
);
# Numbers are written out because Perl loads POSIX, Fcntl, Errno and glob from disk; POSIX alone takes 10 ms.
my ($ENOENT, $EINTR) = (2, 4);
my ($CLONE_NEWUSER, $F_SETFD) = (0x1000_0000, 2);
my $NOBODY = 65534;          # user id of commands inside a sandbox
my ($WNOHANG, $CLOSE_RANGE_CLOEXEC) = (1, 4);
my ($PR_SET_DUMPABLE, $PR_SET_CHILD_SUBREAPER, $PR_SET_NO_NEW_PRIVS) = (4, 36, 38);
my ($SECCOMP_SET_MODE_FILTER, $SECCOMP_FILTER_FLAG_SPEC_ALLOW) = (1, 4);
my $IPC_RMID = 0;
my ($O_WRONLY, $O_CREAT, $O_TRUNC, $O_NONBLOCK) = (0x1, 0x40, 0x200, 0x800);

my ($role, $architecture, @options) = @ARGV;
my ($user, $filter, @limits) = ('', '');    # an empty user: commands run as the user of this process
for (@options) {
    if    (/^user:(\d+)$/)                  { $user   = $1 }
    elsif (/^seccomp:((?:[0-9a-f]{16})+)$/) { $filter = pack 'H*', $1 }
    elsif (/^(\d+):(\d+)$/)                { push @limits, [$1, $2] }
    else                                   { die "runner.pl does not support the argument $_\n" }
}
my $calls = $architecture =~ /^(arm64|riscv64|loong64)$/ ? $CALLS_OF{generic} : $CALLS_OF{$architecture}
    or die "runner.pl does not support the system calls of $architecture\n";
my $in_sandbox = $role eq 'sandbox';
die "runner.pl sandbox needs the argument seccomp:<program as hex>\n" if $in_sandbox && $filter eq '';
die "runner.pl is not alone in its process namespace\n"               if $in_sandbox && $$ != 1;

my $last_environment = '';    # of the last command
open(my $null, '<', '/dev/null') or die "/dev/null: $!\n";
my $null_fd = fileno $null;
my ($cpu_us, $max_rss);    # of the running command: the sum, and the maximum, over its processes that have ended
my %ipc_lists;             # stay open, because opening them takes half the time of reading them
my $user_namespace;        # shared by all sandboxes of this supervisor

binmode STDIN;
binmode STDOUT;
# A handler, even an empty one, makes select return when a process ends. Orphans are then reaped while the command runs.
$SIG{CHLD} = sub { };
$SIG{PIPE} = sub { };
if ($in_sandbox) {
    # Commands have the same user id. If this process were dumpable, they could open its pipes through /proc/1/fd or trace it.
    syscall($calls->{prctl}, $PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 or die "prctl: $!\n";
    for (qw(shm sem msg)) { open($ipc_lists{$_}, '<', "/proc/sysvipc/$_") or delete $ipc_lists{$_} }
    install_filter();
}
else {
    # Processes that a command detaches become children of this process, which can then find and end them.
    syscall($calls->{prctl}, $PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0 or die "prctl: $!\n";
}
# Files that the worker's parent left open must not reach a command. Kernels before 5.11 refuse this call; there the files stay open.
syscall($calls->{close_range}, 3, 0xFFFF_FFFF, $CLOSE_RANGE_CLOEXEC);
for (@limits) {
    my ($resource, $limit) = @$_;
    my $both = pack('QQ', $limit, $limit);
    syscall($calls->{prlimit64}, 0, $resource + 0, $both, 0) == 0 or die "prlimit $resource: $!\n";
}

my $initial_state = $in_sandbox ? describe_state() : '';
send_frame('ready');
while (my ($request, @fields) = next_frame()) {
    if    ($request eq 'run' && $role ne 'supervisor')     { run_command(@fields) }
    elsif ($request eq 'sandbox' && $role eq 'supervisor') { run_sandbox(@fields) }
    elsif ($request eq 'check') { send_frame('checked', describe_state() eq $initial_state ? 1 : 0) }
    elsif ($request eq 'quit')  { last }
    elsif ($request ne 'signal') { send_frame('refused') }
}
end_everything();
exit 0;

sub run_command {
    my ($id, @command) = @_;
    ($cpu_us, $max_rss) = (0, 0);
    my $pid = start(@command);
    my $status = $pid ? await_exit($pid) : 126 << 8;
    end_everything();
    my @used = ($cpu_us, $max_rss);
    send_frame('exit', $id, $status, @used, !$in_sandbox || remove_leftovers() ? 1 : 0);
}

# Starts a command and returns its process id, or nothing on failure. As much as possible happens before the fork: afterwards
# the kernel copies each page that one of the two processes writes to. If the command has a user of its own, that user opens
# the output files, so that a link in their place cannot make this process, which may be root, write elsewhere.
sub start {
    my ($cwd, $stdout, $stderr, $argc, @rest) = @_;
    my @argv = splice @rest, 0, $argc;
    my @paths = ($stdout, $stderr, $cwd);
    my @files = $user eq '' ? open_outputs(@paths) : ();
    return if $user eq '' && !@files;
    set_environment(@rest);
    my $pid = fork;
    return $pid if $pid || !defined $pid;
    if ($user ne '') {
        exit_now(126) if !become($user) || syscall($calls->{prctl}, $PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0;
        @files = open_outputs(@paths) or exit_now(126);
    }
    setpgrp;
    syscall($calls->{dup3}, $null_fd, 0, 0);
    syscall($calls->{dup3}, fileno $files[0], 1, 0);
    syscall($calls->{dup3}, fileno $files[1], 2, 0);
    { no warnings 'exec'; exec { $argv[0] } @argv }
    # Exit codes 126 and 127 mean the same as in a shell.
    my $error = $! + 0;
    syswrite STDERR, "cannot run $argv[0]: $!\n";
    exit_now($error == $ENOENT ? 127 : 126);
}

# Opens the files that a command prints to, and changes to its working directory. Returns the two files, or nothing on failure.
sub open_outputs {
    my ($stdout, $stderr, $cwd) = @_;
    # Non-blocking: a command may have put a pipe in the place of its log, which must not block this process.
    my $flags = $O_WRONLY | $O_CREAT | $O_TRUNC | $O_NONBLOCK;
    sysopen(my $out, $stdout, $flags) or return;
    sysopen(my $err, $stderr, $flags) or return;
    return chdir($cwd) ? ($out, $err) : ();
}

# Sets the environment of this process, which needs none itself, so that a new process inherits it.
sub set_environment {
    my @variables = @_;
    my $environment = join "\0", @variables;
    return if $environment eq $last_environment;
    %ENV = map { split /=/, $_, 2 } @variables;
    $last_environment = $environment;
}

# Puts this process, and all processes below it, under the seccomp program that the worker has built (seccomp(2);
# build-sandbox-filter.ts). Without SPEC_ALLOW some kernels would make every process slower.
sub install_filter {
    my $program = pack 'Sx![P]P', length($filter) / 8, $filter;
    syscall($calls->{seccomp}, $SECCOMP_SET_MODE_FILTER, $SECCOMP_FILTER_FLAG_SPEC_ALLOW, $program) == 0
        or die "seccomp: $!\n";
}

# Exits without running destructors or flushing buffers, which belong to the parent.
sub exit_now {
    my ($code) = @_;
    syscall($calls->{exit_group}, $code);
}

# Waits for the process and handles signal frames in the meantime. Returns its status as wait(2) does.
sub await_exit {
    my ($pid) = @_;
    # A bare descriptor, without a Perl file handle. Kernels before 5.3 have no pidfd; there a short timeout of select covers
    # a process that ends between reaping and selecting.
    my $pidfd = syscall($calls->{pidfd_open}, $pid, 0);
    my $status = handle_signals_until_exit($pid, $pidfd);
    syscall($calls->{close}, $pidfd) if $pidfd >= 0;
    return $status;
}

sub handle_signals_until_exit {
    my ($pid, $pidfd) = @_;
    my $watched = '';
    vec($watched, 0, 1) = 1;
    vec($watched, $pidfd, 1) = 1 if $pidfd >= 0;
    for (;;) {
        my $status = reap_until($pid);
        return $status if defined $status;
        my $count = select(my $readable = $watched, undef, undef, $pidfd >= 0 ? undef : 0.01);
        next if $count <= 0 || !vec($readable, 0, 1);
        my ($request, $signal) = next_frame();
        if (!defined $request) { end_everything(); exit 0 }
        next if $request ne 'signal';
        kill $signal, -$pid;
        kill_descendants() if $signal eq 'KILL';
    }
}

# Starts a sandbox, which inherits both pipes: as long as it lives, its runner reads and writes the frames.
sub run_sandbox {
    my ($sandbox_user, @argv) = @_;
    $user_namespace //= make_user_namespace($sandbox_user) if $sandbox_user ne '';
    my $pid = $sandbox_user eq '' || $user_namespace ? fork : undef;
    if (!defined $pid) {
        send_frame('ended', 126 << 8);
        return;
    }
    if ($pid == 0) {
        if ($sandbox_user ne '') {
            # The user may have no access to the working directory of this process.
            exit_now(126) if !become($sandbox_user) || !chdir('/') || !fcntl($user_namespace, $F_SETFD, 0);
            splice @argv, 1, 0, '--userns', fileno $user_namespace;
        }
        exec { $argv[0] } @argv or exit_now(127);
    }
    waitpid $pid, 0;
    my $status = $?;
    end_everything();
    send_frame('ended', $status);
}

# Returns a user namespace that the user owns, so that everything the kernel counts by user counts for that user. Root is
# mapped in it as well: bubblewrap has all capabilities in the namespace until it runs the command, and needs root to pass
# through root's folders to what it mounts. No further user namespace can be made in it. On failure this prints the reason
# to standard error and returns nothing.
sub make_user_namespace {
    my ($sandbox_user) = @_;
    my ($made, $signal_made, $opened, $signal_opened);
    return if !pipe($made, $signal_made) || !pipe($opened, $signal_opened);
    my $pid = fork // return;
    if ($pid == 0) {
        close $signal_opened;
        my $is_made = become($sandbox_user) && syscall($calls->{unshare}, $CLONE_NEWUSER) == 0
            && write_file('/proc/sys/user/max_user_namespaces', 0);
        syswrite STDERR, "no user namespace for $sandbox_user: $!\n" if !$is_made;
        syswrite $signal_made, 'x' if $is_made;
        sysread $opened, my $end, 1;    # the namespace must live until the parent has opened it
        exit_now(0);
    }
    close $signal_made;
    my $namespace;
    my $is_mapped = sysread($made, my $byte, 1)
        && !grep { !write_file("/proc/$pid/${_}_map", "0 0 1\n$NOBODY $sandbox_user 1\n") } qw(uid gid);
    open($namespace, '<', "/proc/$pid/ns/user") if $is_mapped;
    syswrite STDERR, "cannot set up the user namespace of $sandbox_user: $!\n" if !$namespace;
    close $signal_opened;
    waitpid $pid, 0;
    return $namespace;
}

# Sets all user and group ids of this process, and drops its supplementary groups.
sub become {
    my ($id) = @_;
    $id += 0;    # syscall passes a string as a pointer
    my $none = '';
    return syscall($calls->{setgroups}, 0, $none) == 0 && syscall($calls->{setresgid}, ($id) x 3) == 0
        && syscall($calls->{setresuid}, ($id) x 3) == 0;
}

sub write_file {
    my ($path, $text) = @_;
    open(my $file, '>', $path) or return;
    return syswrite $file, $text;
}

# Reaps processes that have ended. Returns the status of $pid if it is one of them.
sub reap_until {
    my ($pid) = @_;
    for (;;) {
        my ($reaped, $status) = reap();
        return if $reaped <= 0;
        return $status if $reaped == $pid;
    }
}

# Reaps one ended process and adds its usage. Returns its id; 0 if none has ended, -1 if there is no child at all.
sub reap {
    my ($status, $usage) = ("\0" x 4, "\0" x 144);
    my $pid = syscall($calls->{wait4}, -1, $status, $WNOHANG, $usage);
    return $pid if $pid <= 0;
    my ($user_s, $user_us, $system_s, $system_us, $rss) = unpack 'q5', $usage;
    $cpu_us += ($user_s + $system_s) * 1_000_000 + $user_us + $system_us;
    $max_rss = $rss if $rss > $max_rss;
    return ($pid, unpack 'i', $status);
}

# Ends all descendants and reaps them. Takes one system call if there are none.
sub end_everything {
    ($cpu_us, $max_rss) = (0, 0) if !defined $cpu_us;
    for (;;) {
        my ($pid) = reap();
        return if $pid == -1;
        next if $pid > 0;
        kill_descendants();
        select undef, undef, undef, 0.001;
    }
}

sub kill_descendants {
    # Sent by process 1 of a process namespace, -1 reaches all other processes of that namespace and nothing else.
    return kill 'KILL', -1 if $in_sandbox;
    # Each stop of a child sends a signal to this process, and Perl dies if more than 120 arrive within one `kill`.
    local $SIG{CHLD} = 'DEFAULT';
    # Stop them first: otherwise a command that keeps forking outruns the walk.
    my %stopped;
    while (my @new = grep { !$stopped{$_}++ } descendants()) { kill 'STOP', @new }
    kill 'KILL', keys %stopped;
}

sub descendants {
    my %children;
    opendir(my $proc, '/proc') or return;
    for my $id (grep { /^\d/ } readdir $proc) {
        open(my $stat, '<', "/proc/$id/stat") or next;
        my $line = <$stat>;
        push @{ $children{$2} }, $1 if defined $line && $line =~ /^(\d+) \(.*\) \S (\d+) /s;
    }
    my @found = @{ $children{$$} || [] };
    for (my $i = 0; $i < @found; $i++) { push @found, @{ $children{ $found[$i] } || [] } }
    return @found;
}

# Describes everything about this process, and about folders that stay, that a command with the same user id can change and
# that the next command would inherit: limits, niceness, processors, the mode of /dev/pts.
sub describe_state {
    my $text = join ' ', getpriority(0, 0), (stat '/dev/pts')[2] // '';
    for my $file ('limits', 'status') {
        open(my $lines, '<', "/proc/self/$file") or return '';
        $text .= join '', $file eq 'limits' ? <$lines> : grep { /^(Cpus_allowed|Mems_allowed):/ } <$lines>;
    }
    return $text;
}

# Removes what outlives the processes of a command. Returns whether nothing is left for the next command to find.
sub remove_leftovers {
    my $remaining = grep { !empty_folder($_) } '/tmp', '/dev/shm';
    $remaining += grep { !remove_ipc($_) } qw(shm sem msg);
    return $remaining == 0;
}

sub empty_folder {
    my ($folder) = @_;
    my $empty = 1;
    chmod 0700, $folder;
    opendir(my $entries, $folder) or return 0;
    for my $path (map { "$folder/$_" } grep { $_ ne '.' && $_ ne '..' } readdir $entries) {
        next if unlink $path;
        empty_folder($path) if !-l $path && -d _;
        rmdir $path or $empty = 0;
    }
    return $empty;
}

# Removes shared memory, semaphores or message queues of System V. Kernels without System V IPC have no lists of them.
sub remove_ipc {
    my ($kind) = @_;
    my $removed = 1;
    my $list = $ipc_lists{$kind} or return 1;
    seek $list, 0, 0;
    my @lines = <$list>;    # all at once, because removing an entry moves those behind it
    for my $line (@lines) {
        my ($id) = $line =~ /^\s*-?\d+\s+(\d+)/ or next;
        $removed = 0
            if $kind eq 'shm' && !shmctl($id, $IPC_RMID, 0)
            || $kind eq 'sem' && !semctl($id, 0, $IPC_RMID, 0)
            || $kind eq 'msg' && !msgctl($id, $IPC_RMID, 0);
    }
    return $removed;
}

sub next_frame {
    my $header = read_exactly(4);
    return defined $header ? unpack('(N/a*)*', read_exactly(unpack 'N', $header) // return) : ();
}

# Returns nothing at the end of the input.
sub read_exactly {
    my ($length) = @_;
    my $bytes = '';
    while (length $bytes < $length) {
        my $count = sysread STDIN, $bytes, $length - length $bytes, length $bytes;
        next if !defined $count && $! == $EINTR;
        return if !$count;
    }
    return $bytes;
}

sub send_frame {
    my @fields = @_;
    my $frame = pack('N/a*', pack('(N/a*)*', @fields));
    while (length $frame) {
        my $count = syswrite STDOUT, $frame;
        next if !defined $count && $! == $EINTR;
        return if !defined $count;
        substr $frame, 0, $count, '';
    }
}
