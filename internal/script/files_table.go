package script

import "sync"

// fileCalls are the functions that use files, by language and full name.
//
// An entry holds what a function does, separated by commas: an operation, the number
// of the argument that is the file ("2*": and all behind it; 0: what the method is
// called on), the keywords that may name it, and "recursive" when what is beneath
// is meant too. "open FILE:MODE" tells the operation by another argument.
var fileCalls = sync.OnceValue(func() map[string]map[string]string {
	return map[string]map[string]string{
		Python: {
			"open": "open 1:2 file", "io.open": "open 1:2 file", "codecs.open": "open 1:2 filename", "builtins.open": "open 1:2 file", "os.open": "open 1:2 path",
			"gzip.open": "open 1:2 filename", "bz2.open": "open 1:2 filename", "lzma.open": "open 1:2 filename", "tarfile.open": "open 1:2 name",
			"zipfile.ZipFile": "open 1:2 file", "aiofiles.open": "open 1:2 file", "io.FileIO": "open 1:2 file", "shelve.open": "write 1",
			"os.remove": "delete 1 path", "os.unlink": "delete 1 path", "os.rmdir": "delete 1 path", "os.removedirs": "delete 1 name",
			"os.rename": "delete 1 src, write 2 dst", "os.replace": "delete 1 src, write 2 dst", "os.renames": "delete 1 old, write 2 new",
			"os.makedirs": "create 1 name", "os.mkdir": "create 1 path", "os.mknod": "create 1 path", "os.mkfifo": "create 1 path",
			"os.symlink": "create 2 dst", "os.link": "create 2 dst", "os.truncate": "write 1 path",
			"os.chmod": "mode 1 path", "os.chown": "mode 1 path", "os.lchown": "mode 1 path", "os.utime": "mode 1 path",
			"shutil.rmtree": "delete 1 path recursive", "shutil.move": "delete 1 src, write 2 dst",
			"shutil.copy": "read 1 src, write 2 dst", "shutil.copy2": "read 1 src, write 2 dst", "shutil.copyfile": "read 1 src, write 2 dst",
			"shutil.copytree": "read 1 src recursive, write 2 dst recursive", "shutil.copymode": "mode 2 dst", "shutil.copystat": "mode 2 dst",
			"shutil.chown": "mode 1 path", "shutil.unpack_archive": "read 1 filename, write 2 extract_dir recursive",
			"urllib.request.urlretrieve": "write 2 filename",
			"pathlib.Path.open":          "open 0:1", "pathlib.Path.rename": "delete 0, write 1 target", "pathlib.Path.replace": "delete 0, write 1 target",
			"pathlib.Path.symlink_to": "create 0", "pathlib.Path.hardlink_to": "create 0", "pathlib.Path.chmod": "mode 0", "pathlib.Path.rmdir": "delete 0",
			"pathlib.Path.mkdir": "create 0", "pathlib.Path.touch": "create 0",
			".write_text": "write 0", ".write_bytes": "write 0", ".unlink": "delete 0", ".read_text": "read 0", ".read_bytes": "read 0",
		},
		Node: {
			"fs.writeFile": "write 1", "fs.appendFile": "append 1", "fs.createWriteStream": "write 1", "fs.truncate": "write 1",
			"fs.rm": "delete 1", "fs.rmdir": "delete 1", "fs.unlink": "delete 1", "fs.mkdir": "create 1", "fs.mkdtemp": "create 1",
			"fs.rename": "delete 1, write 2", "fs.copyFile": "read 1, write 2", "fs.cp": "read 1, write 2", "fs.symlink": "create 2", "fs.link": "create 2",
			"fs.chmod": "mode 1", "fs.chown": "mode 1", "fs.lchown": "mode 1", "fs.utimes": "mode 1",
			"fs.open": "open 1:2", "fs.readFile": "read 1", "fs.createReadStream": "read 1",
			// fs-extra
			"fs.outputFile": "write 1", "fs.writeJson": "write 1", "fs.writeJSON": "write 1", "fs.outputJson": "write 1", "fs.outputJSON": "write 1",
			"fs.remove": "delete 1 recursive", "fs.emptyDir": "delete 1 recursive", "fs.move": "delete 1, write 2", "fs.copy": "read 1 recursive, write 2 recursive",
			"fs.ensureDir": "create 1", "fs.ensureFile": "create 1", "fs.mkdirp": "create 1", "fs.mkdirs": "create 1", "fs.readJson": "read 1", "fs.readJSON": "read 1",
			"rimraf": "delete 1 recursive", "rimraf.sync": "delete 1 recursive", "rimraf.rimraf": "delete 1 recursive", "mkdirp": "create 1", "mkdirp.sync": "create 1",
			"Bun.write": "write 1", "Deno.writeTextFile": "write 1", "Deno.writeFile": "write 1", "Deno.remove": "delete 1", "Deno.mkdir": "create 1",
			"Deno.rename": "delete 1, write 2", "Deno.copyFile": "read 1, write 2", "Deno.readTextFile": "read 1", "Deno.readFile": "read 1",
		},
		Ruby: {
			"File.write": "write 1", "IO.write": "write 1", "File.binwrite": "write 1", "IO.binwrite": "write 1",
			"File.open": "open 1:2", "File.new": "open 1:2", "open": "open 1:2", "CSV.open": "open 1:2", "IO.sysopen": "open 1:2",
			"File.delete": "delete 1*", "File.unlink": "delete 1*", "File.rename": "delete 1, write 2", "File.truncate": "write 1",
			"File.chmod": "mode 2*", "File.chown": "mode 3*", "File.symlink": "create 2", "File.link": "create 2", "File.mkfifo": "create 1",
			"File.read": "read 1", "IO.read": "read 1", "File.readlines": "read 1", "IO.readlines": "read 1", "File.foreach": "read 1", "File.binread": "read 1",
			"Dir.mkdir": "create 1", "Dir.rmdir": "delete 1", "Dir.delete": "delete 1", "Dir.unlink": "delete 1",
			"FileUtils.rm": "delete 1", "FileUtils.rm_f": "delete 1", "FileUtils.remove": "delete 1", "FileUtils.safe_unlink": "delete 1", "FileUtils.rmdir": "delete 1",
			"FileUtils.rm_r": "delete 1 recursive", "FileUtils.rm_rf": "delete 1 recursive", "FileUtils.rmtree": "delete 1 recursive",
			"FileUtils.remove_dir": "delete 1 recursive", "FileUtils.remove_entry": "delete 1 recursive", "FileUtils.remove_entry_secure": "delete 1 recursive", "FileUtils.remove_file": "delete 1",
			"FileUtils.mkdir": "create 1", "FileUtils.mkdir_p": "create 1", "FileUtils.mkpath": "create 1", "FileUtils.makedirs": "create 1", "FileUtils.touch": "create 1",
			"FileUtils.cp": "read 1, write 2", "FileUtils.copy": "read 1, write 2", "FileUtils.copy_file": "read 1, write 2", "FileUtils.install": "read 1, write 2",
			"FileUtils.cp_r": "read 1 recursive, write 2 recursive", "FileUtils.copy_entry": "read 1 recursive, write 2 recursive",
			"FileUtils.mv": "delete 1, write 2", "FileUtils.move": "delete 1, write 2",
			"FileUtils.ln": "create 2", "FileUtils.ln_s": "create 2", "FileUtils.ln_sf": "create 2", "FileUtils.symlink": "create 2",
			"FileUtils.chmod": "mode 2", "FileUtils.chmod_R": "mode 2 recursive", "FileUtils.chown": "mode 3", "FileUtils.chown_R": "mode 3 recursive",
			"rm_rf": "delete 1 recursive", "rm_r": "delete 1 recursive", "rm_f": "delete 1", "mkdir_p": "create 1", "cp_r": "read 1 recursive, write 2 recursive", "ln_sf": "create 2",
			"Pathname.write": "write 0", "Pathname.binwrite": "write 0", "Pathname.open": "open 0:1", "Pathname.read": "read 0",
			"Pathname.delete": "delete 0", "Pathname.unlink": "delete 0", "Pathname.rmtree": "delete 0 recursive", "Pathname.rename": "delete 0, write 1",
			"Pathname.mkpath": "create 0", "Pathname.mkdir": "create 0", "Pathname.chmod": "mode 0",
		},
		Perl: {
			"open": "perlopen 3", "sysopen": "open 2:3", "unlink": "delete 1*", "rename": "delete 1, write 2", "mkdir": "create 1", "rmdir": "delete 1", "truncate": "write 1",
			"chmod": "mode 2*", "chown": "mode 3*", "utime": "mode 3*", "symlink": "create 2", "link": "create 2",
			"File.Path.rmtree": "delete 1 recursive", "File.Path.remove_tree": "delete 1* recursive", "rmtree": "delete 1 recursive", "remove_tree": "delete 1* recursive",
			"File.Path.mkpath": "create 1", "File.Path.make_path": "create 1*", "mkpath": "create 1", "make_path": "create 1*",
			"File.Copy.copy": "read 1, write 2", "File.Copy.move": "delete 1, write 2", "File.Slurp.write_file": "write 1", "write_file": "write 1",
		},
		PHP: {
			"file_put_contents": "write 1", "fopen": "open 1:2", "unlink": "delete 1", "rename": "delete 1, write 2", "copy": "read 1, write 2", "mkdir": "create 1", "rmdir": "delete 1",
			"touch": "create 1", "chmod": "mode 1", "chown": "mode 1", "chgrp": "mode 1", "symlink": "create 2", "link": "create 2", "move_uploaded_file": "write 2",
			"file_get_contents": "read 1", "readfile": "read 1", "file": "read 1",
		},
	}
})
