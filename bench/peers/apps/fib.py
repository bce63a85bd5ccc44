import sys


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


sys.stdout.write(sys.stdin.read())
print(fib(int(sys.argv[1])))
