# Copies what a step writes to its two logs to standard output and standard error, from two offsets on, until the step has
# ended. Logs that are not regular files are ignored, because a step can replace them by anything.
use strict;
use warnings;
use Fcntl qw(O_RDONLY O_NOFOLLOW O_NONBLOCK SEEK_SET);

my %offset_of = (stdout => $ARGV[0], stderr => $ARGV[1]);
my %target_of = (stdout => \*STDOUT, stderr => \*STDERR);
my %source_of;
my $pause = 0.02;
chdir '/millrace/run' or die "/millrace/run: $!\n";

for (;;) {
    my $ended  = -e 'exit';
    my $copied = copy_next('stdout') + copy_next('stderr');
    next if $copied && ($pause = 0.02);
    last if $ended;
    select undef, undef, undef, $pause;
    $pause = $pause < 0.2 ? $pause * 1.5 : 0.2;
}

# Copies the next part of a log. Returns the number of bytes.
sub copy_next {
    my ($name) = @_;
    my $source = $source_of{$name} //= open_log($name) or return 0;
    my $count = sysread($source, my $bytes, 65_536) or return 0;
    for (my $written = 0; $written < $count;) {
        $written += syswrite($target_of{$name}, $bytes, $count - $written, $written) // exit 1;
    }
    return $count;
}

sub open_log {
    my ($name) = @_;
    sysopen(my $file, $name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) or return;
    return if !-f $file;
    sysseek $file, $offset_of{$name}, SEEK_SET;
    return $file;
}
