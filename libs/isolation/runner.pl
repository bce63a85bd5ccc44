#!/usr/bin/perl
# Runs commands one after the other for a worker, and leaves no process of one behind.
#
# Started once per slot ("keeper"), where it runs commands without isolation or starts sandboxes; and inside each sandbox as
# process 1, where it runs the commands. It is Perl because perl-base is on every Debian, starts in 2 ms and forks in 0.3 ms,
# where a Node of 100 MB needs 3 ms.
#
# Usage: runner.pl plain|keeper|sandbox <architecture as Node names it> [user:<id>] [<resource number>:<limit> ...]
# A `keeper` starts sandboxes and refuses to run anything outside of one. `plain` runs commands without a sandbox: as that
# user of the machine if one is given, who then also opens their files and gains no privileges, else as they are.
#
# Frames on standard input and output: a 32-bit big-endian length, then fields, each a 32-bit length and its bytes.
#   in   run <id> <cwd> <stdout file> <stderr file> <argc> <argv ...> <KEY=VALUE ...>
#        signal TERM            to the running command's process group
#        signal KILL            ends the running command and everything it started
#        sandbox <user> <argv ...>  starts a runner of its own there, on these same pipes; <user> is the id that its
#                               processes have on the machine, or empty for that of this process
#        sound                  asks whether the runner is as it was at its start
#        leave                  exit
#   out  ready                  to `leave` and all others but `signal`, which has no answer, this runner listens
#        exit <id> <status of wait> <CPU microseconds> <largest resident size, KiB> <1 where nothing was left, else 0>
#        left <status of wait>  the sandbox has ended, and the keeper listens again
#        sound 1|0
#        refused
# The end of standard input means that the worker is gone: everything is ended.
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
# Architectures as the kernel names them to filters (linux/audit.h), with what else a kernel of them runs, and the numbers
# there of add_key (request_key and keyctl are the next two), socket, and socketcall where there is one.
my %FILTERED_CALLS_OF = (
    x64 => [[0xC000003E, 248, 41], [0x40000003, 286, 359, 102]],
    arm64 => [[0xC00000B7, 217, 198], [0x40000028, 309, 281]],
    riscv64 => [[0xC00000F3, 217, 198]],
    loong64 => [[0xC0000102, 217, 198]],
);
my $IO_URING_SETUP = 425;    # everywhere
# Families of sockets: UNIX, INET, INET6, NETLINK.
my @FAMILIES = (1, 2, 10, 16);
# Numbers of its own: POSIX, Fcntl, Errno and glob would each be loaded from disk, POSIX alone in 10 ms.
my ($ENOENT, $EINTR, $ENOSYS, $EAFNOSUPPORT) = (2, 4, 38, 97);
my ($CLONE_NEWUSER, $F_SETFD) = (0x1000_0000, 2);
my $NOBODY = 65534;          # who commands are inside of a sandbox
my ($WNOHANG, $CLOSE_RANGE_CLOEXEC) = (1, 4);
my ($PR_SET_DUMPABLE, $PR_SET_CHILD_SUBREAPER, $PR_SET_NO_NEW_PRIVS) = (4, 36, 38);
my ($SECCOMP_SET_MODE_FILTER, $SECCOMP_FILTER_FLAG_SPEC_ALLOW) = (1, 4);
my $IPC_RMID = 0;
my ($O_WRONLY, $O_CREAT, $O_TRUNC, $O_NONBLOCK) = (1, 0100, 01000, 04000);

my ($role, $architecture, @limits) = @ARGV;
my $plain_user = @limits && $limits[0] =~ /^user:(\d+)$/ ? $1 : '';    # empty for that of this process
shift @limits if $plain_user ne '';
my $calls = $architecture =~ /^(arm64|riscv64|loong64)$/ ? $CALLS_OF{generic} : $CALLS_OF{$architecture}
    or die "runner.pl does not know the system calls of $architecture\n";
my $in_sandbox = $role eq 'sandbox';
die "runner.pl is not alone in its process namespace\n" if $in_sandbox && $$ != 1;

my $environment = '';    # of the last command
open(my $null, '<', '/dev/null') or die "/dev/null: $!\n";
my $null_fd = fileno $null;
my ($cpu_us, $max_rss);    # of the running command, over all of its processes that have ended
my %ipc_lists;             # kept open: that is half of what reading them costs
my $user_namespace;        # that of all sandboxes of this keeper

binmode STDIN;
binmode STDOUT;
# A handler, even an empty one, makes select return when a process ends; so orphans are reaped while the command runs.
$SIG{CHLD} = sub { };
$SIG{PIPE} = sub { };
if ($in_sandbox) {
    # Commands have the same user id; without this they could open the pipes through /proc/1/fd, or trace this process.
    syscall($calls->{prctl}, $PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 or die "prctl: $!\n";
    for (qw(shm sem msg)) { open($ipc_lists{$_}, '<', "/proc/sysvipc/$_") or delete $ipc_lists{$_} }
    forbid_calls();
}
else {
    # What a command detaches becomes a child of this process, which can then find and end it.
    syscall($calls->{prctl}, $PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0 or die "prctl: $!\n";
}
# What the worker's own parent left open must not reach a command. Kernels before 5.11 refuse, and there it may.
syscall($calls->{close_range}, 3, 0xFFFF_FFFF, $CLOSE_RANGE_CLOEXEC);
for (@limits) {
    my ($resource, $limit) = split /:/;
    my $both = pack('QQ', $limit, $limit);
    syscall($calls->{prlimit64}, 0, $resource + 0, $both, 0) == 0 or die "prlimit $resource: $!\n";
}

my $state = $in_sandbox ? own_state() : '';
answer('ready');
while (my ($command, @fields) = next_frame()) {
    if    ($command eq 'run' && $role ne 'keeper')     { run_command(@fields) }
    elsif ($command eq 'sandbox' && $role eq 'keeper') { run_sandbox(@fields) }
    elsif ($command eq 'sound')                        { answer('sound', own_state() eq $state ? 1 : 0) }
    elsif ($command eq 'leave')                        { last }
    elsif ($command ne 'signal')                       { answer('refused') }
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
    answer('exit', $id, $status, @used, !$in_sandbox || remove_leftovers() ? 1 : 0);
}

# Starts a command; gives nothing where it cannot be. All that can be done before the fork is: the new process shares its
# memory with this one, and each page that either of them writes to is copied first. Another user's files are opened by that
# user: a link in their place leads this process, which may be root, nowhere.
sub start {
    my ($cwd, $stdout, $stderr, $argc, @rest) = @_;
    my @argv = splice @rest, 0, $argc;
    my @places = ($stdout, $stderr, $cwd);
    my @files = $plain_user eq '' ? open_places(@places) : ();
    return if $plain_user eq '' && !@files;
    set_environment(@rest);
    my $pid = fork;
    return $pid if $pid || !defined $pid;
    if ($plain_user ne '') {
        become($plain_user) && syscall($calls->{prctl}, $PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 or exit_now(126);
        @files = open_places(@places) or exit_now(126);
    }
    setpgrp;
    syscall($calls->{dup3}, $null_fd, 0, 0);
    syscall($calls->{dup3}, fileno $files[0], 1, 0);
    syscall($calls->{dup3}, fileno $files[1], 2, 0);
    { no warnings 'exec'; exec { $argv[0] } @argv }
    # Statuses 126 and 127 and their meaning are the shell's.
    my $error = $! + 0;
    syswrite STDERR, "cannot run $argv[0]: $!\n";
    exit_now($error == $ENOENT ? 127 : 126);
}

# Opens what a command prints to, and goes where it runs. Gives the two files, or nothing.
sub open_places {
    my ($stdout, $stderr, $cwd) = @_;
    # Not blocking: what a command left in the place of its log must not hold up this process.
    my $flags = $O_WRONLY | $O_CREAT | $O_TRUNC | $O_NONBLOCK;
    sysopen(my $out, $stdout, $flags) or return;
    sysopen(my $err, $stderr, $flags) or return;
    return chdir($cwd) ? ($out, $err) : ();
}

# That of this process, which needs none itself: a new process then has it already.
sub set_environment {
    my $wanted = join "\0", @_;
    return if $wanted eq $environment;
    %ENV = map { split /=/, $_, 2 } @_;
    $environment = $wanted;
}

# What no namespace bounds, this filter has the kernel say that it does not know, to this process and all below it
# (seccomp(2); instructions of linux/filter.h, the fields of linux/seccomp.h). Keys belong to the kernel's users: sandboxes of
# a worker that is an ordinary user would have those of each other. Sockets of most families (AF_VSOCK leads to the host
# of a virtual machine) heed no network namespace. io_uring and the old socketcall make sockets where no filter sees which.
# Without SPEC_ALLOW some kernels would make every process slower.
sub forbid_calls {
    my @filter = [0x20, 0, 0, 4];                              # architecture
    for (@{ $FILTERED_CALLS_OF{$architecture} }) {
        my ($abi, $first_key, $socket, $socketcall) = @$_;
        push @filter, [0x15, 0, 15, $abi],                     # another one: behind the next fifteen
            [0x20, 0, 0, 0], [0x54, 0, 0, 0xBFFF_FFFF],        # number of the call, without the mark of x32
            [0x15, 10, 0, $IO_URING_SETUP], [0x15, 9, 0, $socketcall // $IO_URING_SETUP],
            [0x35, 0, 1, $first_key], [0x25, 0, 7, $first_key + 2],
            [0x15, 0, 7, $socket], [0x20, 0, 0, 16],           # its first argument, the family
            map({ [0x15, 5 - $_, 0, $FAMILIES[$_]] } 0 .. 3),
            [0x06, 0, 0, 0x0005_0000 | $EAFNOSUPPORT], [0x06, 0, 0, 0x0005_0000 | $ENOSYS],
            [0x06, 0, 0, 0x7FFF_0000];
    }
    push @filter, [0x06, 0, 0, 0x0005_0000 | $ENOSYS];
    my $program = join '', map { pack 'SCCL', @$_ } @filter;
    my $both = pack 'Sx![P]P', scalar @filter, $program;
    syscall($calls->{seccomp}, $SECCOMP_SET_MODE_FILTER, $SECCOMP_FILTER_FLAG_SPEC_ALLOW, $both) == 0
        or die "seccomp: $!\n";
}

# Leaves without the destructors and buffers that belong to the parent.
sub exit_now {
    syscall($calls->{exit_group}, $_[0]);
}

# Waits for the process, obeying signal frames meanwhile. Gives its status as wait(2) does.
sub await_exit {
    my ($pid) = @_;
    # Without a handle of Perl's around it. Kernels before 5.3 have none: there a short wait closes the gap between reaping
    # and selecting.
    my $pidfd = syscall($calls->{pidfd_open}, $pid, 0);
    my $status = obey_until_end($pid, $pidfd);
    syscall($calls->{close}, $pidfd) if $pidfd >= 0;
    return $status;
}

sub obey_until_end {
    my ($pid, $pidfd) = @_;
    my $watched = '';
    vec($watched, 0, 1) = 1;
    vec($watched, $pidfd, 1) = 1 if $pidfd >= 0;
    for (;;) {
        my $status = reap_until($pid);
        return $status if defined $status;
        my $count = select(my $readable = $watched, undef, undef, $pidfd >= 0 ? undef : 0.01);
        next if $count <= 0 || !vec($readable, 0, 1);
        my ($command, $signal) = next_frame();
        if (!defined $command) { end_everything(); exit 0 }
        next if $command ne 'signal';
        kill $signal, -$pid;
        kill_descendants() if $signal eq 'KILL';
    }
}

# Starts a sandbox which inherits both pipes: while it lives it is the one that reads and answers.
sub run_sandbox {
    my ($user, @argv) = @_;
    $user_namespace //= make_user_namespace($user) if $user ne '';
    my $pid = $user eq '' || $user_namespace ? fork : undef;
    if (!defined $pid) {
        answer('left', 126 << 8);
        return;
    }
    if ($pid == 0) {
        if ($user ne '') {
            # Where this process is, the user may not be let in.
            become($user) && chdir('/') && fcntl($user_namespace, $F_SETFD, 0) or exit_now(126);
            splice @argv, 1, 0, '--userns', fileno $user_namespace;
        }
        exec { $argv[0] } @argv or exit_now(127);
    }
    waitpid $pid, 0;
    my $status = $?;
    end_everything();
    answer('left', $status);
}

# A namespace that the user made, so that all which the kernel counts by user counts as theirs, and in which root is mapped
# as well: only so may bubblewrap, which has all capabilities in it until it runs the command, walk root's folders to what it
# mounts. Within it nobody makes another one. Complains and gives nothing where it cannot be made.
sub make_user_namespace {
    my ($user) = @_;
    my ($made, $tell_made, $kept, $tell_kept);
    pipe($made, $tell_made) && pipe($kept, $tell_kept) or return;
    my $pid = fork // return;
    if ($pid == 0) {
        close $tell_kept;
        my $is_made = become($user) && syscall($calls->{unshare}, $CLONE_NEWUSER) == 0
            && write_file('/proc/sys/user/max_user_namespaces', 0);
        syswrite STDERR, "no user namespace for $user: $!\n" if !$is_made;
        syswrite $tell_made, 'x' if $is_made;
        sysread $kept, my $end, 1;
        exit_now(0);
    }
    close $tell_made;
    my $namespace;
    my $maps = sysread($made, my $word, 1)
        && !grep { !write_file("/proc/$pid/${_}_map", "0 0 1\n$NOBODY $user 1\n") } qw(uid gid);
    open($namespace, '<', "/proc/$pid/ns/user") if $maps;
    syswrite STDERR, "cannot set up the user namespace of $user: $!\n" if !$namespace;
    close $tell_kept;
    waitpid $pid, 0;
    return $namespace;
}

# All of a process's ids, and no groups beside.
sub become {
    my ($user) = map { $_ + 0 } @_;
    my $none = '';
    return syscall($calls->{setgroups}, 0, $none) == 0 && syscall($calls->{setresgid}, ($user) x 3) == 0
        && syscall($calls->{setresuid}, ($user) x 3) == 0;
}

sub write_file {
    my ($path, $text) = @_;
    open(my $file, '>', $path) or return;
    return syswrite $file, $text;
}

# Reaps what has ended, and gives the status of $pid if it is among it.
sub reap_until {
    my ($pid) = @_;
    for (;;) {
        my ($reaped, $status) = reap();
        return undef if $reaped <= 0;
        return $status if $reaped == $pid;
    }
}

# Reaps one ended process and adds up what it used. Gives its id: 0 where none has ended, -1 where there is no child at all.
sub reap {
    my ($status, $usage) = ("\0" x 4, "\0" x 144);
    my $pid = syscall($calls->{wait4}, -1, $status, $WNOHANG, $usage);
    return $pid if $pid <= 0;
    my ($user_s, $user_us, $system_s, $system_us, $rss) = unpack 'q5', $usage;
    $cpu_us += ($user_s + $system_s) * 1_000_000 + $user_us + $system_us;
    $max_rss = $rss if $rss > $max_rss;
    return ($pid, unpack 'i', $status);
}

# Ends all descendants and reaps them. Costs one system call where there are none.
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
    # From process 1 of a namespace -1 reaches exactly the rest of that namespace.
    return kill 'KILL', -1 if $in_sandbox;
    # Each stop of a child is a signal to this process, and Perl dies of more than 120 that arrive within one `kill`.
    local $SIG{CHLD} = 'DEFAULT';
    # Stopped first: otherwise a command that forks without end outruns the walk.
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

# What a command with the same user id can change of this process and of the folders that stay, and what the next would have
# from it: limits, niceness, processors, the mode of /dev/pts.
sub own_state {
    my $text = join ' ', getpriority(0, 0), (stat '/dev/pts')[2] // '';
    for my $file ('limits', 'status') {
        open(my $lines, '<', "/proc/self/$file") or return '';
        $text .= join '', $file eq 'limits' ? <$lines> : grep { /^(Cpus_allowed|Mems_allowed):/ } <$lines>;
    }
    return $text;
}

# So that the next command finds nothing of this one. Gives whether nothing is left.
sub remove_leftovers {
    my $left = grep { !empty_folder($_) } '/tmp', '/dev/shm';
    $left += grep { !remove_ipc($_) } qw(shm sem msg);
    return $left == 0;
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

# Shared memory, semaphores and message queues of System V, which outlive their processes. Kernels without lack the lists.
sub remove_ipc {
    my ($kind) = @_;
    my $removed = 1;
    my $list = $ipc_lists{$kind} or return 1;
    seek $list, 0, 0;
    for (<$list>) {
        my ($id) = /^\s*-?\d+\s+(\d+)/ or next;
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

# Undefined at the end of input.
sub read_exactly {
    my ($length) = @_;
    my $bytes = '';
    while (length $bytes < $length) {
        my $count = sysread STDIN, $bytes, $length - length $bytes, length $bytes;
        next if !defined $count && $! == $EINTR;
        return undef if !$count;
    }
    return $bytes;
}

sub answer {
    my $frame = pack('N/a*', pack('(N/a*)*', @_));
    while (length $frame) {
        my $count = syswrite STDOUT, $frame;
        next if !defined $count && $! == $EINTR;
        return if !defined $count;
        substr $frame, 0, $count, '';
    }
}
