package shell

// sameGrammar names programs that read their options like another one.
var sameGrammar = table[string]{
	{"podman", "docker"}, {"nerdctl", "docker"},
	{"podman-compose", "docker-compose"},
	{"oc", "kubectl"}, {"tofu", "terraform"},
	{"dash", "bash"}, {"sh", "bash"}, {"zsh", "bash"}, {"ksh", "bash"}, {"ash", "bash"}, {"mksh", "bash"}, {"rbash", "bash"}, {"fish", "bash"}, {"csh", "bash"}, {"tcsh", "bash"}, {"nu", "bash"}, {"xonsh", "bash"}, {"elvish", "bash"},
	{"gfind", "find"}, {"gsed", "sed"}, {"gtar", "tar"}, {"bsdtar", "tar"}, {"egrep", "grep"}, {"fgrep", "grep"},
	{"grm", "rm"}, {"gmv", "mv"}, {"gcp", "cp"}, {"gchmod", "chmod"}, {"gchown", "chown"},
	{"powershell", "pwsh"}, {"pypy", "python"}, {"bunx", "npx"}, {"apt", "apt-get"},
	{"javac", "java"}, {"clang", "gcc"}, {"cc", "gcc"}, {"g++", "gcc"}, {"clang++", "gcc"},
	{"autossh", "ssh"}, {"zcat", "cat"}, {"zgrep", "grep"}, {"gawk", "awk"}, {"mawk", "awk"},
}

// programs says how programs read their options, by base name. A program that is
// not listed has no subcommands, reads clusters of one-letter options, and none of
// its options is known to take a value in the next word.
//
// The lists come from the programs' own manuals. The long options of programs that
// accept abbreviations are complete, as of git 2.50 and GNU coreutils 9.5.
var programs = table[grammar]{
	{"git", grammar{
		options:     "-C: -c: --git-dir: --work-tree: --namespace: --exec-path? --super-prefix: --config-env: --attr-source: --list-cmds?",
		abbreviates: false,
		subcommands: gitSubcommands,
	}},

	// Files. GNU coreutils accept abbreviated long options.
	{"rm", grammar{options: "--force --interactive? --one-file-system --no-preserve-root --preserve-root? --recursive --dir --verbose --help --version", abbreviates: true}},
	{"mv", grammar{options: "-S: -t: --backup? --debug --exchange --force --interactive --no-clobber --no-copy --no-target-directory --strip-trailing-slashes --suffix: --target-directory: --update? --verbose --context --help --version", abbreviates: true}},
	{"cp", grammar{options: "-S: -t: --archive --attributes-only --backup? --copy-contents --debug --dereference --force --interactive --keep-directory-symlink --link --no-clobber --no-dereference --no-preserve: --no-target-directory --one-file-system --parents --path --preserve? --recursive --reflink? --remove-destination --sparse: --strip-trailing-slashes --suffix: --symbolic-link --target-directory: --update? --verbose --context? --help --version", abbreviates: true}},
	{"ln", grammar{options: "-S: -t: --backup? --directory --force --interactive --logical --no-dereference --no-target-directory --physical --relative --suffix: --symbolic --target-directory: --verbose --help --version", abbreviates: true}},
	{"install", grammar{options: "-g: -m: -o: -S: -t: --backup? --compare --context? --debug --directory --group: --mode: --no-target-directory --owner: --preserve-context --preserve-timestamps --strip --strip-program: --suffix: --target-directory: --verbose --help --version", abbreviates: true}},
	{"chmod", grammar{options: "--changes --dereference --no-dereference --no-preserve-root --preserve-root --quiet --recursive --reference: --silent --verbose --help --version", abbreviates: true}},
	{"chown", grammar{options: "--changes --dereference --from: --no-dereference --no-preserve-root --preserve-root --quiet --recursive --reference: --silent --verbose --help --version", abbreviates: true}},
	{"chgrp", grammar{options: "--changes --dereference --from: --no-dereference --no-preserve-root --preserve-root --quiet --recursive --reference: --silent --verbose --help --version", abbreviates: true}},
	{"shred", grammar{options: "-n: -s: --exact --force --iterations: --random-source: --remove? --size: --verbose --zero --help --version", abbreviates: true}},
	{"mkdir", grammar{options: "-m: -Z --context? --mode: --parents --verbose --help --version", abbreviates: true}},
	{"rmdir", grammar{options: "--ignore-fail-on-non-empty --parents --path --verbose --help --version", abbreviates: true}},
	{"touch", grammar{options: "-d: -r: -t: --date: --no-create --no-dereference --reference: --time: --help --version", abbreviates: true}},
	{"truncate", grammar{options: "-r: -s: --io-blocks --no-create --reference: --size: --help --version", abbreviates: true}},
	{"tee", grammar{options: "--append --ignore-interrupts --output-error? --help --version", abbreviates: true}},
	{"sort", grammar{options: "-k: -o: -S: -t: -T: --batch-size: --buffer-size: --check? --compress-program: --debug --dictionary-order --field-separator: --files0-from: --general-numeric-sort --human-numeric-sort --ignore-case --ignore-leading-blanks --ignore-nonprinting --key: --merge --month-sort --numeric-sort --output: --parallel: --random-sort --random-source: --reverse --sort: --stable --temporary-directory: --unique --version-sort --zero-terminated --help --version", abbreviates: true}},
	{"split", grammar{options: "-a: -b: -C: -l: -n: -t: --additional-suffix: --bytes: --elide-empty-files --filter: --hex-suffixes? --line-bytes: --lines: --number: --numeric-suffixes? --separator: --suffix-length: --unbuffered --verbose --help --version", abbreviates: true}},
	{"head", grammar{options: "-c: -n: --bytes: --lines:"}},
	{"tail", grammar{options: "-c: -n: -s: --bytes: --lines: --pid: --sleep-interval: --max-unchanged-stats:"}},
	{"cut", grammar{options: "-b: -c: -d: -f: --bytes: --characters: --delimiter: --fields: --output-delimiter:"}},
	{"tree", grammar{options: "-H: -I: -L: -o: -P: -T: --filelimit: --timefmt: --charset:"}},
	{"diff", grammar{options: "-I: -L: -S: -U: -W: -x: -X: --exclude: --exclude-from: --label: --to-file: --from-file:"}},
	{"patch", grammar{options: "-B: -d: -D: -F: -g: -i: -o: -p: -r: -V: -Y: -z: --directory: --fuzz: --input: --output: --reject-file: --strip:"}},
	{"rsync", grammar{options: "-B: -e: -f: -M: -T: --backup-dir: --bwlimit: --chmod: --chown: --compare-dest: --copy-dest: --exclude: --exclude-from: --files-from: --filter: --include: --include-from: --link-dest: --log-file: --max-size: --min-size: --out-format: --partial-dir: --password-file: --port: --rsh: --rsync-path: --temp-dir: --timeout:"}},
	{"scp", grammar{options: "-c: -D: -F: -i: -J: -l: -o: -P: -S: -X:"}},
	{"sftp", grammar{options: "-B: -b: -c: -D: -F: -i: -J: -l: -o: -P: -R: -S: -s: -X:"}},
	{"tar", grammar{
		options: "-b: -C: -f: -F: -g: -H: -I: -K: -L: -N: -T: -V: -X: --add-file: --directory: --exclude: --exclude-from: --file: --files-from: --format: --group: --mode: --mtime: --newer: --owner: --strip-components: --suffix: --to-command: --transform: --use-compress-program: --xform:",
		bundled: true,
	}},
	{"unzip", grammar{options: "-d: -P: -x"}},
	{"zip", grammar{options: "-b: -i: -n: -P: -t: -x:"}},

	// Searching and text. find's expression is not a cluster of letters.
	{"find", grammar{
		options: "-exec; -execdir; -ok; -okdir; -name: -iname: -path: -ipath: -wholename: -iwholename: -regex: -iregex: -regextype: -lname: -ilname: -type: -xtype: -maxdepth: -mindepth: -mtime: -mmin: -atime: -amin: -ctime: -cmin: -newer: -anewer: -cnewer: -newermt: -size: -user: -group: -uid: -gid: -perm: -links: -inum: -samefile: -fstype: -used: -context: -printf: -fprint: -fprint0: -fls: -D:",
		words:   true,
	}},
	{"fd", grammar{options: "-e: -E: -t: -d: -S: -c: -j: -o: -x; -X; --exec; --exec-batch; --extension: --exclude: --type: --max-depth: --min-depth: --size: --owner: --changed-within: --changed-before: --threads: --base-directory: --search-path:"}},
	{"grep", grammar{options: "-A: -B: -C: -D: -d: -e: -f: -m: --after-context: --before-context: --context: --color? --exclude: --exclude-dir: --exclude-from: --file: --include: --label: --max-count: --regexp:"}},
	{"rg", grammar{options: "-A: -B: -C: -E: -M: -T: -d: -e: -f: -g: -j: -m: -r: -t: --after-context: --before-context: --color: --colors: --context: --encoding: --file: --glob: --iglob: --ignore-file: --max-columns: --max-count: --max-depth: --pre: --regexp: --replace: --sort: --threads: --type: --type-add: --type-not:"}},
	{"sed", grammar{options: "-e: -f: -l: -i? --debug --expression: --file: --follow-symlinks --in-place? --line-length: --null-data --posix --quiet --regexp-extended --sandbox --separate --silent --unbuffered --zero-terminated --help --version", abbreviates: true}},
	{"awk", grammar{options: "-f: -F: -v: -i: -l: -e: -E: --assign: --exec: --field-separator: --file: --include: --load: --source:", stops: true}},
	{"jq", grammar{options: "-f: -L: --from-file: --indent: --arg+ --argjson+ --slurpfile+ --rawfile+"}},
	{"yq", grammar{options: "-I: -o: -p: --from-file: --indent: --input-format: --output-format:"}},

	// Network.
	{"curl", grammar{options: "-A: -b: -c: -C: -d: -D: -e: -E: -F: -h: -H: -K: -m: -o: -P: -Q: -r: -t: -T: -u: -U: -w: -x: -X: -y: -Y: -z: --cacert: --capath: --cert: --config: --connect-timeout: --connect-to: --cookie: --cookie-jar: --data: --data-ascii: --data-binary: --data-raw: --data-urlencode: --dump-header: --form: --form-string: --header: --json: --key: --limit-rate: --max-filesize: --max-redirs: --max-time: --netrc-file: --noproxy: --oauth2-bearer: --output: --output-dir: --proxy: --proxy-user: --range: --referer: --request: --resolve: --retry: --retry-delay: --retry-max-time: --socks5: --stderr: --trace: --trace-ascii: --unix-socket: --upload-file: --url: --url-query: --user: --user-agent: --write-out:"}},
	{"wget", grammar{options: "-a: -A: -B: -D: -e: -i: -I: -l: -o: -O: -P: -Q: -R: -t: -T: -U: -w: -X: --accept: --append-output: --base: --body-data: --body-file: --ca-certificate: --certificate: --config: --cut-dirs: --directory-prefix: --domains: --exclude-directories: --execute: --header: --include-directories: --input-file: --level: --limit-rate: --method: --output-document: --output-file: --password: --post-data: --post-file: --quota: --referer: --reject: --timeout: --tries: --user: --user-agent: --wait:"}},
	{"http", grammar{options: "-a: -A: -b -d -o: -p: -s: --auth: --output: --print: --session:"}},
	{"ssh", grammar{options: sshOptions, stops: true}},
	{"nc", grammar{options: "-e: -c: -g: -G: -i: -I: -m: -O: -o: -p: -q: -s: -T: -V: -w: -X: -x:"}},

	// Package managers.
	{"npm", grammar{options: "-C: -w: --prefix: --workspace: --registry: --cache: --userconfig: --globalconfig: --tag: --loglevel: --omit: --include: --scope: --otp: --access: --before:", shared: true, subcommands: table[grammar]{{"exec", grammar{options: "-c: -p: --call: --package:"}}, {"x", grammar{options: "-c: -p: --call: --package:"}}}}},
	{"pnpm", grammar{options: "-C: -F: --dir: --filter: --registry: --store-dir: --reporter: --loglevel:", shared: true, subcommands: table[grammar]{}}},
	{"yarn", grammar{options: "--cwd: --modules-folder: --cache-folder: --registry: --network-timeout: --mutex:", shared: true, subcommands: table[grammar]{}}},
	{"bun", grammar{options: "-c: -e: -p: -r: --config: --cwd: --eval: --print: --preload: --port: --env-file: --filter:", stops: true, subcommands: table[grammar]{}}},
	{"npx", grammar{options: "-c: -p: -w: --call: --package: --workspace: --cache: --registry: --userconfig: --prefix: --loglevel:", stops: true}},
	{"pip", grammar{options: "-c: -e: -f: -i: -r: -t: --abi: --cache-dir: --cert: --constraint: --editable: --extra-index-url: --find-links: --global-option: --implementation: --index-url: --log: --only-binary: --no-binary: --path: --platform: --prefix: --progress-bar: --proxy: --python: --python-version: --requirement: --retries: --root: --src: --target: --timeout: --trusted-host: --upgrade-strategy: --user", shared: true, subcommands: table[grammar]{}}},
	{"pipx", grammar{options: "--python: --spec: --index-url: --pip-args: --suffix:", shared: true, subcommands: table[grammar]{}}},
	{"uv", grammar{options: "--project: --directory: --config-file: --cache-dir: --color: --python: --index: --index-url: --default-index: --extra-index-url:", shared: true, subcommands: table[grammar]{{"pip", grammar{options: "-r: -c: -e: --target: --prefix:"}}, {"add", grammar{options: "-r: --extra: --group: --tag: --branch: --rev:"}}, {"run", grammar{options: "--with: --env-file: --extra: --group: --package:", stops: true}}, {"tool", grammar{options: "--from: --with:"}}}}},
	{"poetry", grammar{options: "-C: -P: --directory: --project: -G: --group: --source:", shared: true, subcommands: table[grammar]{}}},
	{"pdm", grammar{options: "-p: -c: -G: --project: --group:", shared: true, subcommands: table[grammar]{}}},
	{"pipenv", grammar{options: "-r: --python: --requirements:", shared: true, subcommands: table[grammar]{}}},
	{"conda", grammar{options: "-n: -p: -c: --name: --prefix: --channel: --file:", shared: true, subcommands: table[grammar]{}}},
	{"mamba", grammar{options: "-n: -p: -c: --name: --prefix: --channel: --file:", shared: true, subcommands: table[grammar]{}}},
	{"gem", grammar{options: "-v: -i: -n: -P: -s: --version: --install-dir: --bindir: --source: --config-file:", shared: true, subcommands: table[grammar]{}}},
	{"bundle", grammar{options: "--gemfile: --path: --jobs: --retry: --without: --with:", shared: true, subcommands: table[grammar]{}}},
	{"composer", grammar{options: "-d: --working-dir:", shared: true, subcommands: table[grammar]{}}},
	{"cargo", grammar{options: "-C: -Z: -F: -j: -p: --color: --config: --manifest-path: --target-dir: --features: --bin: --example: --test: --bench: --package: --exclude: --jobs: --profile: --target: --message-format: --git: --branch: --tag: --rev: --path: --root: --version: --registry: --index:", shared: true, plus: true, subcommands: table[grammar]{{"run", grammar{stops: true}}}}},
	{"rustup", grammar{options: "--toolchain: --component: --target: --profile:", shared: true, plus: true, subcommands: table[grammar]{}}},
	{"brew", grammar{options: "--appdir:", shared: true, subcommands: table[grammar]{}}},
	{"apt-get", grammar{options: "-o: -t: -c: --option: --target-release: --config-file: --default-release:", shared: true, subcommands: table[grammar]{}}},
	{"dnf", grammar{options: "-c: -x: --repo: --enablerepo: --disablerepo: --installroot: --releasever: --exclude: --setopt:", shared: true, subcommands: table[grammar]{}}},
	{"yum", grammar{options: "-c: -x: --enablerepo: --disablerepo: --installroot: --releasever: --exclude: --setopt:", shared: true, subcommands: table[grammar]{}}},
	{"apk", grammar{options: "-p: -X: -t: --root: --repository: --virtual: --arch:", shared: true, subcommands: table[grammar]{}}},
	{"zypper", grammar{options: "-R: -D: --root: --reposd-dir: --cache-dir:", subcommands: table[grammar]{}}},
	{"snap", grammar{shared: true, options: "--channel: --revision:", subcommands: table[grammar]{}}},
	{"flatpak", grammar{shared: true, options: "--installation: --arch:", subcommands: table[grammar]{}}},
	{"choco", grammar{shared: true, options: "-s: --source: --version:", subcommands: table[grammar]{}}},
	{"winget", grammar{shared: true, words: false, options: "-e -v: -s: --id: --source: --version:", subcommands: table[grammar]{}}},
	{"scoop", grammar{subcommands: table[grammar]{}}},
	{"nuget", grammar{words: true, shared: true, options: "-Version: -OutputDirectory: -Source: -ConfigFile: -Verbosity: -ApiKey: -SolutionDirectory: -PackagesDirectory: -Framework:", subcommands: table[grammar]{}}},
	{"dotnet", grammar{shared: false, options: "--additionalprobingpath: --fx-version: --depsfile: --runtimeconfig:", subcommands: table[grammar]{{"add", grammar{}}, {"run", grammar{options: "--project: -c: -f: --framework: --configuration:"}}, {"build", grammar{options: "-c: -f: -o: -r: -v: --configuration: --framework: --output: --runtime: --verbosity:"}}, {"tool", grammar{options: "--version: --tool-path: --add-source:"}}}}},
	{"mvn", grammar{options: "-f: -pl: -P: -s: -D: -T: -l: --file: --projects: --settings: --threads:"}},
	{"gradle", grammar{options: "-b: -c: -g: -I: -p: -D: -P: -x: --build-file: --project-dir: --settings-file: --init-script:"}},

	// Containers, clusters, clouds.
	{"docker", grammar{options: dockerOptions, subcommands: dockerSubcommands}},
	{"docker-compose", grammar{options: composeOptions, subcommands: composeSubcommands}},
	{"kubectl", grammar{options: kubectlOptions, shared: true, subcommands: table[grammar]{{"exec", grammar{options: "-c: --container:"}}, {"run", grammar{options: "--image: --env: --port: --overrides: --restart: --labels:"}}, {"apply", grammar{options: "-f: -k: --filename: --kustomize: --selector: --prune-allowlist:"}}, {"delete", grammar{options: "-f: -k: --filename: --kustomize: --grace-period: --field-selector:"}}, {"get", grammar{options: "-f: -k: -L: --sort-by: --field-selector:"}}, {"logs", grammar{options: "-c: --container: --since: --tail:"}}, {"scale", grammar{options: "--replicas:"}}}}},
	{"helm", grammar{options: "-n: -f: --namespace: --kubeconfig: --kube-context: --kube-apiserver: --kube-token: --registry-config: --repository-cache: --repository-config: --values: --set: --set-string: --set-file: --version: --timeout: --repo:", shared: true, subcommands: table[grammar]{}}},
	{"aws", grammar{options: "--profile: --region: --output: --query: --endpoint-url: --ca-bundle: --cli-read-timeout: --cli-connect-timeout: --color: --cli-binary-format:", shared: true, subcommands: table[grammar]{}}},
	{"gcloud", grammar{options: "--project: --account: --configuration: --format: --filter: --verbosity: --impersonate-service-account: --region: --zone: --billing-project: --limit: --command:", shared: true, subcommands: table[grammar]{}}},
	{"gsutil", grammar{options: "-h: -o: -u:", subcommands: table[grammar]{}}},
	{"az", grammar{options: "-o: -g: -n: -l: --output: --query: --subscription: --resource-group: --name: --location:", shared: true, subcommands: table[grammar]{}}},
	{"terraform", grammar{words: true, options: "-chdir: -var: -var-file: -target: -replace: -backend-config: -parallelism: -state: -state-out: -out: -lock-timeout: -plugin-dir:", shared: true, subcommands: table[grammar]{}}},
	{"pulumi", grammar{options: "-C: -s: --cwd: --stack: --color: --config:", shared: true, subcommands: table[grammar]{}}},
	{"ansible", grammar{options: "-a: -e: -f: -i: -l: -m: -u: --args: --extra-vars: --inventory: --limit: --module-name: --user:"}},
	{"vagrant", grammar{options: "-c: --command:", shared: true, subcommands: table[grammar]{}}},
	{"heroku", grammar{options: "-a: -r: --app: --remote: --team:", shared: true, subcommands: table[grammar]{}}},
	{"fly", grammar{options: "-a: -c: -C: --app: --config: --command: --access-token:", shared: true, subcommands: table[grammar]{}}},
	{"gh", grammar{options: "-R: --repo: --hostname:", shared: true, subcommands: table[grammar]{{"pr", grammar{options: "-a: -B: -b: -F: -H: -l: -m: -p: -r: -t: -q: --assignee: --base: --body: --body-file: --head: --label: --milestone: --project: --reviewer: --title: --json: --jq: --template: --search: --state: --limit: --author: --subject:"}}, {"issue", grammar{options: "-a: -b: -F: -l: -m: -p: -t: -q: --assignee: --body: --body-file: --label: --milestone: --project: --title: --json: --jq: --template: --search: --state: --limit: --comment:"}}, {"api", grammar{options: "-f: -F: -H: -X: -q: -t: -p: --field: --header: --input: --jq: --method: --preview: --raw-field: --template: --cache:"}}, {"release", grammar{options: "-n: -F: -t: --notes: --notes-file: --title: --target: --json: --jq: --template:"}}, {"repo", grammar{options: "-d: --description: --homepage: --json: --jq: --template: --visibility:"}}, {"run", grammar{options: "-w: -L: -b: --workflow: --limit: --branch: --json: --jq: --template: --job:"}}}}},
	{"glab", grammar{options: "-R: --repo: -g: --group:", shared: true, subcommands: table[grammar]{}}},

	// System.
	{"systemctl", grammar{options: "-H: -M: -n: -o: -p: -s: -t: --host: --machine: --lines: --output: --property: --signal: --state: --type: --root: --job-mode: --kill-whom:", shared: true, subcommands: table[grammar]{}}},
	{"service", grammar{}},
	{"launchctl", grammar{subcommands: table[grammar]{}}},
	{"crontab", grammar{options: "-u:"}},
	{"kill", grammar{options: "-s: -n: -q: --signal: --queue:"}},
	{"killall", grammar{options: "-c: -o: -s: -t: -u: -y: -Z: -n: --context: --ns: --older-than: --signal: --user: --younger-than:"}},
	{"pkill", grammar{options: "-F: -g: -G: -P: -s: -t: -u: -U: --signal: --parent: --euid: --uid:"}},
	{"mount", grammar{options: "-L: -N: -o: -O: -t: -U: -T: --options: --types: --source: --target:"}},
	{"umount", grammar{options: "-N: -O: -t:"}},
	{"useradd", grammar{options: "-b: -c: -d: -e: -f: -g: -G: -k: -K: -p: -s: -u:"}},
	{"usermod", grammar{options: "-c: -d: -e: -f: -g: -G: -l: -p: -s: -u:"}},
	{"openssl", grammar{words: true, options: "-in: -out: -key: -inkey: -passin: -passout: -pass: -subj: -days: -config: -connect: -keyout: -CA: -CAkey: -CAfile: -cert: -K: -iv: -k:", shared: true, subcommands: table[grammar]{}}},
	{"gpg", grammar{options: "-o: -r: -u: --output: --recipient: --local-user: --homedir: --passphrase: --keyserver: --batch --default-key:"}},
	{"tmux", grammar{options: "-c: -f: -L: -S: -T:", subcommands: table[grammar]{}}},
	{"screen", grammar{options: "-c: -e: -h: -p: -s: -S: -t: -T: -X", stops: true}},
	{"psql", grammar{options: "-c: -d: -f: -F: -h: -L: -o: -p: -P: -R: -T: -U: -v: --command: --dbname: --file: --host: --port: --username: --variable: --set: --output: --log-file:"}},
	{"mysql", grammar{options: "-D: -e: -h: -P: -S: -u: -p? --database: --execute: --host: --port: --socket: --user: --password?"}},
	{"mariadb", grammar{options: "-D: -e: -h: -P: -S: -u: -p? --database: --execute: --host: --port: --socket: --user: --password?"}},
	{"sqlite3", grammar{words: true, options: "-cmd: -init: -separator: -nullvalue:"}},
	{"redis-cli", grammar{options: "-h: -p: -s: -a: -u: -n: -r: -i: -d: --user: --pass:", stops: true}},
	{"mongosh", grammar{options: "-u: -p: --eval: --file: --host: --port: --username: --password: --authenticationDatabase:"}},

	// Languages and builders. What follows a script's name is the script's.
	{"bash", grammar{options: "-c -o+ -O+ +o+ +O+ --rcfile: --init-file: --command:", stops: true, plus: true}},
	{"python", grammar{options: "-c: -m: -W: -X: -Q: --check-hash-based-pycs:", stops: true}},
	{"node", grammar{options: "-e: -p: -pe: -r: -C: -c --eval: --print: --require: --import: --loader: --experimental-loader: --env-file: --input-type: --conditions: --title: --test-name-pattern: --test-reporter:", stops: true}},
	{"deno", grammar{options: "-c: --config: --import-map: --lock: --log-level:", subcommands: table[grammar]{{"eval", grammar{options: "--ext: --import-map: -c: --config:", stops: true}}, {"run", grammar{options: "-c: --config: --import-map: --cert: --seed:", stops: true}}}}},
	{"tsx", grammar{options: "-e: -p: --eval: --print: --tsconfig:", stops: true}},
	{"ruby", grammar{options: "-e: -C: -E: -F? -I: -r: -T? -K? -x? -i? -0? -W? --encoding: --external-encoding: --internal-encoding:", stops: true}},
	{"perl", grammar{options: "-e: -E: -I: -m? -M? -F? -i? -C? -D? -V? -x?", stops: true}},
	{"php", grammar{options: "-r: -B: -R: -E: -F: -f: -c: -d: -S: -t: -z: --run: --file: --define: --process-code:", stops: true}},
	{"pwsh", grammar{words: true, options: "-Command: -command: -c: -File: -file: -f: -EncodedCommand: -encodedcommand: -ec: -e: -enc: -ExecutionPolicy: -executionpolicy: -ep: -ex: -WorkingDirectory: -wd: -InputFormat: -OutputFormat: -WindowStyle: -ConfigurationName: -Version: -version", stops: true}},
	{"java", grammar{words: true, options: "-cp: -classpath: --class-path: -p: --module-path: -jar: -m: --module: --add-modules: -d: -sourcepath: -source: -target:", stops: true}},
	{"lua", grammar{options: "-e: -l:", stops: true}},
	{"go", grammar{words: true, options: "-C:", subcommands: table[grammar]{{"build", grammar{options: goBuildOptions}}, {"install", grammar{options: goBuildOptions}}, {"get", grammar{options: goBuildOptions}}, {"test", grammar{options: goBuildOptions + " -run: -bench: -count: -cpu: -timeout: -coverprofile: -cpuprofile: -memprofile: -fuzz: -fuzztime: -benchtime: -list: -exec:"}}, {"run", grammar{options: goBuildOptions + " -exec:", stops: true}}, {"generate", grammar{options: "-run: -skip:"}}, {"env", grammar{}}, {"mod", grammar{}}, {"vet", grammar{options: goBuildOptions + " -vettool:"}}, {"list", grammar{options: goBuildOptions + " -f:"}}}}},
	{"just", grammar{options: "-d: -f: --color: --chooser: --dotenv-filename: --dotenv-path: --justfile: --set% --shell: --shell-arg: --working-directory:"}},
	{"make", grammar{options: "-C: -f: -I: -j? -l? -o: -W: --directory: --file: --makefile: --include-dir: --old-file: --what-if: --eval:"}},
	{"gcc", grammar{words: true, options: "-o: -I: -L: -D: -U: -x: -MF: -MT: -MQ: -include: -isystem: -arch: -T: -Xlinker: -framework:"}},
	{"ffmpeg", grammar{words: true, options: "-i: -f: -c: -c:v: -c:a: -vf: -af: -ss: -t: -to: -map: -r: -s: -b:v: -b:a: -preset: -crf: -filter_complex:"}},

	{"hg", grammar{options: "-R: --repository: --cwd: --config: --encoding: --color:", subcommands: table[grammar]{}}},
	{"svn", grammar{options: "-m: -F: -r: --message: --file: --revision: --username: --password: --config-dir:", shared: true, subcommands: table[grammar]{}}},
	{"jj", grammar{options: "-R: --repository: --at-operation: --config: --color:", shared: true, subcommands: table[grammar]{}}},
}

const (
	sshOptions     = "-B: -b: -c: -D: -E: -e: -F: -I: -i: -J: -L: -l: -m: -O: -o: -P: -p: -Q: -R: -S: -W: -w:"
	dockerOptions  = "-c: -H: -l: --config: --context: --host: --log-level: --tlscacert: --tlscert: --tlskey: --url: --connection: --identity: --root: --runroot: --namespace: --address:"
	composeOptions = "-f: -p: --ansi: --env-file: --file: --parallel: --profile: --progress: --project-directory: --project-name:"
	kubectlOptions = "-n: -s: -o: -l: -v: --as: --as-group: --cache-dir: --certificate-authority: --client-certificate: --client-key: --cluster: --context: --kubeconfig: --namespace: --output: --password: --profile: --request-timeout: --selector: --server: --tls-server-name: --token: --user: --username: --config:"
	goBuildOptions = "-o: -p: -C: -asmflags: -buildmode: -buildvcs: -compiler: -gccgoflags: -gcflags: -installsuffix: -ldflags: -mod: -modfile: -overlay: -pgo: -pkgdir: -tags: -toolexec: -covermode: -coverpkg:"

	dockerExecOptions = "-e: -u: -w: --detach-keys: --env: --env-file: --user: --workdir:"
	dockerRunOptions  = dockerExecOptions + " -a: -c: -h: -l: -m: -p: -v: --add-host: --annotation: --attach: --blkio-weight: --cap-add: --cap-drop: --cgroup-parent: --cgroupns: --cidfile: --cpu-period: --cpu-quota: --cpu-shares: --cpus: --cpuset-cpus: --device: --dns: --dns-option: --dns-search: --domainname: --entrypoint: --expose: --gpus: --group-add: --health-cmd: --health-interval: --health-retries: --health-timeout: --hostname: --ip: --ip6: --ipc: --isolation: --label: --label-file: --link: --log-driver: --log-opt: --mac-address: --memory: --memory-swap: --mount: --name: --net: --network: --network-alias: --pid: --pids-limit: --platform: --pod: --publish: --pull: --restart: --runtime: --security-opt: --shm-size: --stop-signal: --stop-timeout: --storage-opt: --sysctl: --tmpfs: --ulimit: --userns: --uts: --volume: --volume-driver: --volumes-from:"
	composeExecOption = "-e: -u: -w: --env: --index: --user: --workdir:"
	composeRunOptions = composeExecOption + " -l: -p: -v: --entrypoint: --label: --name: --publish: --volume: --cap-add: --cap-drop: --pull:"
)

var dockerSubcommands = table[grammar]{
	{"exec", grammar{options: dockerExecOptions, stops: true}},
	{"run", grammar{options: dockerRunOptions, stops: true}},
	{"create", grammar{options: dockerRunOptions, stops: true}},
	{"build", grammar{options: "-c: -f: -m: -o: -t: --build-arg: --build-context: --cache-from: --cache-to: --file: --iidfile: --label: --memory: --network: --output: --platform: --progress: --secret: --ssh: --tag: --target:"}},
	{"compose", grammar{options: composeOptions, subcommands: composeSubcommands}},
	{"logs", grammar{options: "-n: --since: --tail: --until:"}},
	{"ps", grammar{options: "-f: -n: --filter: --format: --last:"}},
	{"stop", grammar{options: "-s: -t: --signal: --time:"}},
	{"system", grammar{options: "--filter: --format:"}},
	{"volume", grammar{options: "-d: -o: -f --driver: --filter: --label: --opt:"}},
	{"image", grammar{options: "--filter: --format:"}},
}

var composeSubcommands = table[grammar]{
	{"exec", grammar{options: composeExecOption, stops: true}},
	{"run", grammar{options: composeRunOptions, stops: true}},
	{"down", grammar{options: "-t: --rmi: --timeout:"}},
	{"up", grammar{options: "-t: --scale: --timeout: --exit-code-from: --attach:"}},
	{"logs", grammar{options: "--tail: --since: --until: --index:"}},
}
